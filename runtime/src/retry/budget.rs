use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::settings::BudgetSettings;

/// What was saved up longer ago than this is worth nothing: a quiet or healthy hour must not pay for a storm.
const MEMORY: Duration = Duration::from_secs(10);

/// The retries a system may have: a share of its calls, and a few a second in any case. Calls only count up a
/// number; the arithmetic is done when a retry asks.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    calls: AtomicU64,
    account: Mutex<Account>,
}

#[derive(Debug)]
struct Account {
    balance: f64,
    counted: u64,
    at: Instant,
}

impl RetryBudget {
    pub(crate) fn new(settings: &BudgetSettings) -> Self {
        let balance = settings.floor_per_second * MEMORY.as_secs_f64();
        Self { calls: AtomicU64::new(0), account: Mutex::new(Account { balance, counted: 0, at: Instant::now() }) }
    }

    /// One more logical call has begun.
    #[inline]
    pub(crate) fn called(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes one retry out of the budget, if there is one.
    pub(crate) fn withdraw(&self, settings: &BudgetSettings) -> bool {
        let calls = self.calls.load(Ordering::Relaxed);
        let mut account = self.account.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        account.settle(calls, Instant::now(), settings);
        let granted = account.balance >= 1.0;
        if granted {
            account.balance -= 1.0;
        }
        granted
    }
}

impl Account {
    /// Brings the balance up to now: what it held fades within [`MEMORY`], what came in since is added.
    fn settle(&mut self, calls: u64, now: Instant, settings: &BudgetSettings) {
        let memory = MEMORY.as_secs_f64();
        let elapsed = now.saturating_duration_since(self.at).as_secs_f64();
        let new_calls = calls.wrapping_sub(self.counted) as f64;
        // Of calls spread over a longer time only the last ones are still remembered.
        let remembered = if elapsed > memory { new_calls * memory / elapsed } else { new_calls };
        let kept = self.balance * (1.0 - elapsed / memory).max(0.0);
        self.balance = kept + remembered * settings.ratio + settings.floor_per_second * elapsed.min(memory);
        self.counted = calls;
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn withdrawn(budget: &RetryBudget, settings: &BudgetSettings) -> usize {
        (0..10_000).take_while(|_| budget.withdraw(settings)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_share_of_the_calls_may_be_repeated() {
        let settings = BudgetSettings { ratio: 0.25, floor_per_second: 0.0 };
        let budget = RetryBudget::new(&settings);
        assert!(!budget.withdraw(&settings));
        (0..400).for_each(|_| budget.called());
        assert_eq!(withdrawn(&budget, &settings), 100);
        tokio::time::advance(MEMORY).await;
        assert!(!budget.withdraw(&settings));
    }

    #[tokio::test(start_paused = true)]
    async fn the_floor_is_there_without_calls_and_never_more_than_it_is() {
        let settings = BudgetSettings { ratio: 0.25, floor_per_second: 2.0 };
        let budget = RetryBudget::new(&settings);
        assert_eq!(withdrawn(&budget, &settings), 20);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(withdrawn(&budget, &settings), 2);
        tokio::time::advance(Duration::from_secs(3600)).await;
        assert_eq!(withdrawn(&budget, &settings), 20);
    }

    #[tokio::test(start_paused = true)]
    async fn a_healthy_hour_does_not_pay_for_a_storm() {
        let settings = BudgetSettings { ratio: 0.25, floor_per_second: 0.0 };
        let budget = RetryBudget::new(&settings);
        (0..360_000).for_each(|_| budget.called());
        tokio::time::advance(Duration::from_secs(3600)).await;
        assert_eq!(withdrawn(&budget, &settings), 250, "100 calls a second, 10 seconds of them, a quarter");
    }
}
