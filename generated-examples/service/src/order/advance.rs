//! How an order is, which is when it is brought on: its payment is asked about; once it is paid, its policy is issued and
//! its receipt handed in and asked about. Nothing here waits for anything to happen: a step that cannot be taken now is
//! taken the next time.

use std::time::Duration;

use cofferdam_example_committed::integrations::insurance::Insurer as _;
use cofferdam_example_committed::integrations::insurance::domain::{Acceptance, Offer};
use cofferdam_example_committed::integrations::receipt::Receipts as _;
use cofferdam_example_committed::integrations::receipt::domain::{Fate, Line, Receipt, ReceiptQuery, Vat};
use cofferdam_example_committed::integrations::sber::domain::{OrderQuery, PaymentState};
use cofferdam_example_committed::money;
use cofferdam_runtime::fallback::Served;
use cofferdam_runtime::{IdempotencyKey, Uuid};

use super::book::{Document, Money, Order, Part};
use super::shape::OrderView;
use super::{Orders, REGISTERS};
use crate::problem::Problem;
use crate::systems::Systems;

impl Orders {
    /// How an order is, after what can be done for it was done.
    ///
    /// # Errors
    /// When there is no such order, or nothing at all is known of its payment.
    pub async fn status(&self, systems: &Systems, number: &str) -> Result<OrderView, Problem> {
        let entry = self.book.find(number).ok_or(Problem::NO_SUCH_ORDER)?;
        let Ok(mut order) = entry.try_lock() else { return Err(Problem::BUSY) };
        let as_of = match order.registered {
            Some(_) => self.ask_payment(systems, &mut order).await?,
            None => None,
        };
        if order.money == Money::Paid {
            let order = &mut *order;
            let (policy, receipt) = tokio::join!(issue(systems, order), write(systems, order));
            take(policy, &mut order.policy, &mut order.policy_error);
            take(receipt, &mut order.receipt, &mut order.receipt_error);
        }
        Ok(OrderView::of(&order, as_of))
    }

    /// Where the order's money is: as the gateway says now, or as it last said, and how long ago that was.
    async fn ask_payment(&self, systems: &Systems, order: &mut Order) -> Result<Option<Duration>, Problem> {
        let number = order.wish.number.clone();
        let asked = systems.sber.get_order_status(OrderQuery::Number(number.clone()));
        let (payment, as_of) = match self.payments.answer(number, asked).await {
            Ok(Served::Fresh(payment)) => (payment, None),
            // What was paid stays paid; that it was not says nothing any more, and does no harm here: nothing is done.
            Ok(Served::Degraded(old)) => (old.value, old.age),
            // Of a payment that was seen we know enough to go on.
            Err(_) if order.money == Money::Paid => return Ok(None),
            Err(error) => return Err(Problem::of(&error, "it is not known whether the order is paid")),
        };
        order.money = match (order.money, payment.state) {
            // A refund that was sent is not forgotten because of an answer that is older.
            (Money::Refunding | Money::Refunded, PaymentState::Refunded) => Money::Refunded,
            (Money::Refunded, _) => Money::Refunded,
            (Money::Refunding, _) => Money::Refunding,
            (_, PaymentState::Paid | PaymentState::Held) => Money::Paid,
            (_, PaymentState::Refunded) => Money::Refunded,
            (_, PaymentState::Cancelled | PaymentState::Declined) => Money::Lost,
            (_, PaymentState::Waiting) => Money::Waiting,
        };
        Ok(as_of)
    }
}

/// What a step brought: the next state, or why there is none.
type Step<T> = Option<Result<T, Problem>>;

fn take<T>(step: Step<T>, state: &mut T, error: &mut Option<u32>) {
    match step {
        Some(Ok(next)) => (*state, *error) = (next, None),
        Some(Err(problem)) => *error = Some(problem.code),
        None => {}
    }
}

async fn issue(systems: &Systems, order: &Order) -> Step<Part> {
    let Part::Offered(Offer { id, .. }) = &order.policy else { return None };
    let acceptance = Acceptance {
        offer: id.clone(),
        order: order.wish.number.clone(),
        name: order.wish.name.clone(),
        email: order.wish.email.clone(),
    };
    let key = IdempotencyKey::new(order.wish.number.clone());
    let issued = systems.insurance.issue(acceptance, key).await;
    Some(issued.map(|policy| Part::Issued(policy.number)).map_err(Problem::from))
}

async fn write(systems: &Systems, order: &Order) -> Step<Document> {
    match &order.receipt {
        Document::None => {
            let handed_in = systems.receipt.hand_in(receipt(order)).await;
            Some(handed_in.map(|receipt| Document::HandedIn(receipt.uuid)).map_err(Problem::from))
        }
        Document::HandedIn(uuid) => ask_receipt(systems, *uuid).await,
        Document::Written(_) | Document::Failed(_) => None,
    }
}

async fn ask_receipt(systems: &Systems, uuid: Uuid) -> Step<Document> {
    match systems.receipt.fate(ReceiptQuery { group: REGISTERS.to_owned(), uuid }).await {
        Ok(Fate::Waiting) => None,
        Ok(Fate::Written(mark)) => Some(Ok(Document::Written(mark.document))),
        Ok(Fate::Failed(code)) => Some(Ok(Document::Failed(code))),
        Err(failure) => Some(Err(failure.into())),
    }
}

fn receipt(order: &Order) -> Receipt {
    let bought = order.wish.lines.iter().map(|line| Line {
        name: line.name.clone(),
        price: money::Money::rub(line.price),
        quantity: line.quantity,
        vat: Vat::Twenty,
    });
    let policy = order.premium.map(|price| Line { name: "Policy".to_owned(), price, quantity: 1, vat: Vat::None });
    Receipt {
        group: REGISTERS.to_owned(),
        number: order.wish.number.clone(),
        email: order.wish.email.clone(),
        lines: bought.chain(policy).collect(),
    }
}
