//! Placing an order: an offer, if it is wanted and can be had, then the registration with the gateway.

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::insurance::Insurer as _;
use cofferdam_example_committed::integrations::insurance::domain::{Offer, Product, Wish};
use cofferdam_example_committed::integrations::sber::PaymentPort as _;
use cofferdam_example_committed::integrations::sber::domain::{self as sber, OrderQuery, PaymentRefused};
use cofferdam_example_committed::money;
use cofferdam_runtime::Date;

use super::Orders;
use super::book::{Document, Money, Order, Part};
use super::shape::{NewOrder, OrderView};
use crate::problem::Problem;
use crate::systems::Systems;

impl Orders {
    /// Places an order. Sent again under the same number it is the same order, whatever became of the first time.
    ///
    /// # Errors
    /// What stands in the way; an order that could not be registered may be sent again.
    pub async fn place(&self, systems: &Systems, wish: NewOrder) -> Result<OrderView, Problem> {
        let total = wish.total().ok_or(Problem::NO_ORDER)?;
        let entry = self.book.enter(Order {
            wish: wish.clone(),
            total,
            premium: None,
            registered: None,
            money: Money::Waiting,
            policy: Part::None,
            policy_error: None,
            receipt: Document::None,
            receipt_error: None,
        });
        // Sent twice at once, the second is told to come back: it must not register what the first is registering.
        let mut order = entry.try_lock().map_err(|_| Problem::BUSY)?;
        if order.wish != wish {
            return Err(Problem::OTHER_ORDER);
        }
        if order.registered.is_none() {
            if order.wish.insure && order.policy == Part::None {
                self.insure(systems, &mut order).await;
            }
            order.registered = Some(register(systems, &order).await?);
        }
        Ok(OrderView::of(&order, None))
    }

    /// An offer is asked for; if there is none, the order goes on without: a buyer rather has the tickets than waits for
    /// the insurer.
    async fn insure(&self, systems: &Systems, order: &mut Order) {
        match offer(systems, order.total).await {
            Ok(offer) => match order.total.plus(offer.premium) {
                Some(total) => {
                    order.total = total;
                    order.premium = Some(offer.premium);
                    order.policy = Part::Offered(offer);
                }
                None => order.policy = Part::Unavailable,
            },
            Err(problem) => {
                order.policy = Part::Unavailable;
                order.policy_error = Some(problem.code);
            }
        }
    }
}

async fn offer(systems: &Systems, amount: money::Money) -> Result<Offer, Problem> {
    let from = Date::from_ymd_opt(2026, 9, 1).unwrap_or_default();
    let wish = Wish { product: Product::TicketRefund, amount, from, birth_years: vec![1990] };
    Ok(systems.insurance.offer(wish).await?)
}

/// Registers the order under its number. That it is registered already is no mistake: the answer of an earlier time was
/// lost, and the number is ours.
async fn register(systems: &Systems, order: &Order) -> Result<sber::RegisteredOrder, Problem> {
    let number = order.wish.number.clone();
    let registration = sber::NewOrder {
        number: number.clone(),
        amount: order.total,
        return_url: format!("https://shop.example/orders/{number}"),
        description: None,
    };
    match systems.sber.register(registration).await {
        Ok(registered) => Ok(registered),
        Err(Failure::Refused { why: PaymentRefused::AlreadyRegistered, .. }) => {
            let payment = systems.sber.payment(OrderQuery::Number(number)).await?;
            let id = payment.gateway_order.ok_or(Problem::OTHER_ORDER)?;
            // Its address follows from the order's number; the gateway does not tell it twice.
            Ok(sber::RegisteredOrder { payment_page: format!("https://pay.example/{id}"), id })
        }
        Err(failure) => Err(failure.into()),
    }
}
