//! Giving the money back: sent once, whatever happens.

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::sber::PaymentPort as _;
use cofferdam_example_committed::integrations::sber::domain::Transfer;

use super::Orders;
use super::book::Money;
use super::shape::OrderView;
use crate::problem::Problem;
use crate::systems::Systems;

impl Orders {
    /// Gives all of an order's money back. A second request for it is a conflict, also when it is not known what became of
    /// the first: a refund sent twice is money given back twice.
    ///
    /// # Errors
    /// When nothing can be given back, or nothing was. Whether it was is not known after a problem whose title says so: then
    /// the order is `refunding` until the gateway has told.
    pub async fn refund(&self, systems: &Systems, number: &str) -> Result<OrderView, Problem> {
        let entry = self.book.find(number).ok_or(Problem::NO_SUCH_ORDER)?;
        let Ok(mut order) = entry.try_lock() else { return Err(Problem::BUSY) };
        let Some(registered) = order.registered.clone().filter(|_| order.money == Money::Paid) else {
            return Err(Problem::NOT_PAID);
        };
        // Before it is sent: if this task is dropped meanwhile, nobody sends it again.
        order.money = Money::Refunding;
        match systems.sber.give_back(Transfer { order_id: registered.id, amount: order.total }).await {
            Ok(()) => order.money = Money::Refunded,
            Err(failure) => {
                if matches!(failure, Failure::Unavailable(_) | Failure::Refused { .. }) {
                    order.money = Money::Paid;
                }
                return Err(failure.into());
            }
        }
        Ok(OrderView::of(&order, None))
    }
}
