//! Between the shop's receipts and the service's JSON.
//!
//! Handing in a receipt twice is no mistake: the first number comes back, and the port makes an outcome of that. A report
//! that says `fail` is a healthy answer: the service works, this receipt cannot be written.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode, Verdict};

use super::domain::{Fate, FiscalMark, HandedIn, Line, Login, Receipt, ReceiptQuery, ReceiptRefused, Vat};
use super::generated::{operations, types};
use crate::money::Currency;

/// Translates between the shop's receipts and `receipt`.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReceiptMapping;

// `POST /token`: for whoever wants a token by hand. The adapter has its own by `access::sign_in`.
impl Mapping<operations::GetToken> for ReceiptMapping {
    type Command = Login;
    type Outcome = types::Token;
    type Rejection = ReceiptRefused;

    fn request(&self, login: &Login) -> Result<operations::GetTokenRequest, MappingError> {
        Ok(operations::GetTokenRequest { body: login_to_wire(login) })
    }

    fn outcome(&self, reply: types::Token) -> Result<types::Token, Refusal<ReceiptRefused>> {
        Ok(reply)
    }

    fn rejection(&self, _: StatusCode, body: operations::GetTokenRejection) -> ReceiptRefused {
        match body {
            operations::GetTokenRejection::Unauthorized(problem) => ReceiptRefused::Other(problem.code),
            operations::GetTokenRejection::Default { body, .. } => ReceiptRefused::Other(body.code),
        }
    }
}

// `POST /{group}/sell`
impl Mapping<operations::Sell> for ReceiptMapping {
    type Command = Receipt;
    type Outcome = HandedIn;
    type Rejection = ReceiptRefused;

    fn request(&self, receipt: &Receipt) -> Result<operations::SellRequest, MappingError> {
        Ok(operations::SellRequest { group: receipt.group.clone(), body: receipt_to_wire(receipt)? })
    }

    fn outcome(&self, reply: operations::SellReply) -> Result<HandedIn, Refusal<ReceiptRefused>> {
        let (operations::SellReply::Ok(accepted) | operations::SellReply::Accepted(accepted)) = reply;
        Ok(handed_in(accepted))
    }

    fn rejection(&self, _: StatusCode, body: operations::SellRejection) -> ReceiptRefused {
        match body {
            operations::SellRejection::Conflict(duplicate) => ReceiptRefused::Duplicate(duplicate.uuid),
            operations::SellRejection::Default { body, .. } => ReceiptRefused::Other(body.code),
        }
    }
}

// `POST /{group}/sell-refund`
impl Mapping<operations::SellRefund> for ReceiptMapping {
    type Command = Receipt;
    type Outcome = HandedIn;
    type Rejection = ReceiptRefused;

    fn request(&self, receipt: &Receipt) -> Result<operations::SellRefundRequest, MappingError> {
        Ok(operations::SellRefundRequest { group: receipt.group.clone(), body: receipt_to_wire(receipt)? })
    }

    fn outcome(&self, reply: operations::SellRefundReply) -> Result<HandedIn, Refusal<ReceiptRefused>> {
        let (operations::SellRefundReply::Ok(accepted) | operations::SellRefundReply::Accepted(accepted)) = reply;
        Ok(handed_in(accepted))
    }

    fn rejection(&self, _: StatusCode, body: operations::SellRefundRejection) -> ReceiptRefused {
        match body {
            operations::SellRefundRejection::Conflict(duplicate) => ReceiptRefused::Duplicate(duplicate.uuid),
            operations::SellRefundRejection::Default { body, .. } => ReceiptRefused::Other(body.code),
        }
    }
}

// `GET /{group}/report/{uuid}`
impl Mapping<operations::GetReport> for ReceiptMapping {
    type Command = ReceiptQuery;
    type Outcome = Fate;
    type Rejection = ReceiptRefused;

    fn request(&self, query: &ReceiptQuery) -> Result<operations::GetReportRequest, MappingError> {
        let ReceiptQuery { group, uuid } = query;
        Ok(operations::GetReportRequest { group: group.clone(), uuid: *uuid })
    }

    fn verdict(&self, _: &types::Report) -> Verdict {
        Verdict::Success
    }

    fn outcome(&self, reply: types::Report) -> Result<Fate, Refusal<ReceiptRefused>> {
        let types::Report { uuid: _, status, fiscal, error } = reply;
        Ok(match status {
            types::ReceiptStatus::Wait => Fate::Waiting,
            types::ReceiptStatus::Done => {
                let mark = fiscal.ok_or(MappingError::new("a written receipt without its mark"))?;
                let types::FiscalMark { document, sign, register, written_at } = mark;
                Fate::Written(FiscalMark { document, sign, register, written_at })
            }
            // Its words are for the log, where the span of the call has them; the domain keeps the number.
            types::ReceiptStatus::Fail => Fate::Failed(error.map_or(0, |problem| problem.code)),
            types::ReceiptStatus::Unknown(word) => {
                return Err(MappingError::new(format!("a state this shop does not know: {word}")).into());
            }
        })
    }

    fn rejection(&self, _: StatusCode, body: operations::GetReportRejection) -> ReceiptRefused {
        match body {
            operations::GetReportRejection::NotFound(_) => ReceiptRefused::Unknown,
            operations::GetReportRejection::Default { body, .. } => ReceiptRefused::Other(body.code),
        }
    }
}

pub(super) fn login_to_wire(login: &Login) -> types::Login {
    let Login { name, password } = login;
    types::Login { login: name.clone(), password: password.clone() }
}

fn receipt_to_wire(receipt: &Receipt) -> Result<types::NewReceipt, MappingError> {
    let total = receipt.total().ok_or(MappingError::new("lines that cannot be added up"))?;
    let Receipt { group: _, number, email, lines } = receipt;
    if total.currency() != Currency::Rub {
        return Err(MappingError::new("a receipt is written in roubles"));
    }
    let items = lines.iter().map(line_to_wire).collect::<Result<_, _>>()?;
    let receipt = types::Receipt { email: email.clone(), items, total: total.in_minor() };
    Ok(types::NewReceipt { external_id: number.clone(), receipt })
}

fn line_to_wire(line: &Line) -> Result<types::Item, MappingError> {
    let Line { name, price, quantity, vat } = line;
    let vat = match vat {
        Vat::None => types::ItemVat::None,
        Vat::Zero => types::ItemVat::Vat0,
        Vat::Ten => types::ItemVat::Vat10,
        Vat::Twenty => types::ItemVat::Vat20,
    };
    let quantity = i32::try_from(*quantity).map_err(|_| MappingError::new("more than a receipt has room for"))?;
    Ok(types::Item { name: name.clone(), price: price.in_minor(), quantity, vat })
}

fn handed_in(accepted: types::Accepted) -> HandedIn {
    let types::Accepted { uuid, status: _ } = accepted;
    HandedIn { uuid, before: false }
}
