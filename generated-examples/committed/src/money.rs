//! Amounts, as every system of ours that moves money speaks of them.

use std::fmt;

/// A currency that the shop trades in. All of them have two digits of minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Currency {
    /// Rouble.
    Rub,
    /// Euro.
    Eur,
    /// US dollar.
    Usd,
}

impl Currency {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rub, Self::Eur, Self::Usd];

    /// Its letters by ISO 4217.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Rub => "RUB",
            Self::Eur => "EUR",
            Self::Usd => "USD",
        }
    }

    /// Its number by ISO 4217, as text: card systems write it so.
    pub const fn number(self) -> &'static str {
        match self {
            Self::Rub => "643",
            Self::Eur => "978",
            Self::Usd => "840",
        }
    }

    /// The currency with these letters.
    pub fn of_letters(letters: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|currency| currency.letters() == letters)
    }

    /// The currency with this number.
    pub fn of_number(number: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|currency| currency.number() == number)
    }
}

/// An amount: whole minor units of a currency. Never a float, never a bare number, and never of unknown currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money {
    currency: Currency,
    minor: i64,
}

impl Money {
    /// So many minor units.
    pub const fn minor(minor: i64, currency: Currency) -> Self {
        Self { currency, minor }
    }

    /// So many kopecks: `Money::rub(15_000)` is 150 roubles.
    pub const fn rub(kopecks: i64) -> Self {
        Self::minor(kopecks, Currency::Rub)
    }

    /// Minor units of its currency.
    pub const fn in_minor(self) -> i64 {
        self.minor
    }

    /// Its currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// Whether it is more than nothing.
    pub const fn is_positive(self) -> bool {
        self.minor > 0
    }

    /// Both together; none if they are of different currencies, or more than fits.
    pub fn plus(self, other: Self) -> Option<Self> {
        let minor = self.minor.checked_add(other.minor)?;
        (self.currency == other.currency).then_some(Self { minor, ..self })
    }

    /// So many times as much; none if it is more than fits.
    pub fn times(self, count: u32) -> Option<Self> {
        Some(Self { minor: self.minor.checked_mul(i64::from(count))?, ..self })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minor < 0 { "-" } else { "" };
        let units = self.minor.unsigned_abs();
        write!(f, "{sign}{}.{:02} {}", units / 100, units % 100, self.currency.letters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_different_currencies_are_never_added() {
        assert_eq!(Money::rub(150).plus(Money::rub(50)), Some(Money::rub(200)));
        assert_eq!(Money::rub(150).plus(Money::minor(50, Currency::Eur)), None);
        assert_eq!(Money::rub(i64::MAX).plus(Money::rub(1)), None);
        assert_eq!(Money::rub(i64::MAX).times(2), None);
    }

    #[test]
    fn an_amount_is_written_in_units_with_its_currency() {
        assert_eq!(Money::rub(15_000).to_string(), "150.00 RUB");
        assert_eq!(Money::minor(-5, Currency::Usd).to_string(), "-0.05 USD");
        assert_eq!(Money::rub(i64::MIN).to_string(), "-92233720368547758.08 RUB");
    }

    #[test]
    fn a_currency_is_found_by_letters_and_by_number() {
        for currency in Currency::ALL {
            assert_eq!(Currency::of_letters(currency.letters()), Some(currency));
            assert_eq!(Currency::of_number(currency.number()), Some(currency));
        }
        assert_eq!(Currency::of_letters("XXX"), None);
    }
}
