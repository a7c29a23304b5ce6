//! What an operation answers: one type for its documented successes, one for its documented failures.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::ident::ident;
use super::Context;
use super::payload::Payload;
use crate::analyse::ResponseNames;
use crate::model::{Response, Status};

/// How a reply or a rejection holds one documented response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerShape {
    /// What the response is documented for.
    pub(crate) status: Status,
    /// Part of the reply, else of the rejection.
    pub(crate) is_reply: bool,
    /// Its variant; `None` when the reply is the response itself.
    pub(crate) variant: Option<String>,
    /// The variant has fields, the status among them.
    pub(crate) has_status: bool,
    /// The type of what it says; `None` when the status is all.
    pub(crate) payload: Option<String>,
    /// Fields of its headers, by their names.
    pub(crate) headers: Vec<(String, String)>,
    /// The enum of its media types, when their types differ.
    pub(crate) body_type: Option<String>,
    /// Variants of that enum by media type.
    pub(crate) variants: Vec<(String, String)>,
}

/// A documented response with its names and content.
struct Answer<'p> {
    response: &'p Response,
    names: &'p ResponseNames,
    variant: Ident,
    payload: Payload,
}

fn answers(context: Context<'_>) -> Vec<Answer<'_>> {
    let named = context.operation.responses.iter().zip(&context.names.responses).zip(&context.names.response_parts);
    named
        .map(|((response, variant), parts)| Answer {
            response,
            names: parts,
            variant: ident(variant),
            payload: Payload::of(context, response, parts),
        })
        .collect()
}

/// The shapes of all responses, in document order.
pub(super) fn shapes(context: Context<'_>) -> Vec<AnswerShape> {
    let answers = answers(context);
    let (successes, rejections) = (successes(context, &answers), rejections(&answers));
    let mut shapes = Vec::new();
    for answer in &answers {
        let is_in = |side: &[&Answer<'_>]| side.iter().any(|other| std::ptr::eq(*other, answer));
        if is_in(&successes) {
            let is_alone = is_alone(&successes);
            shapes.push(shape(context, answer, true, is_alone));
        }
        if is_in(&rejections) {
            shapes.push(shape(context, answer, false, false));
        }
    }
    shapes
}

fn shape(context: Context<'_>, answer: &Answer<'_>, is_reply: bool, is_alone: bool) -> AnswerShape {
    let Answer { response, names, variant, payload } = answer;
    let in_operations = |name: &str| format!("operations::{name}");
    let headers = response.headers.iter().map(|header| header.name.clone());
    let variants = context
        .wholes(response)
        .into_iter()
        .filter_map(|(index, content)| Some((content.media_type.clone(), names.body_variants.get(index)?.clone())));
    AnswerShape {
        status: response.status,
        is_reply,
        variant: (!is_alone).then(|| variant.to_string()),
        has_status: !is_alone && !matches!(response.status, Status::Code(_)),
        payload: match &payload.ty {
            Some(_) if !response.headers.is_empty() => Some(in_operations(&names.with_headers)),
            Some(_) if payload.is_choice => Some(in_operations(&names.body_type)),
            ty => ty.as_ref().map(super::super::printed),
        },
        headers: headers.zip(names.headers.iter().cloned()).collect(),
        body_type: payload.is_choice.then(|| in_operations(&names.body_type)),
        variants: variants.filter(|_| payload.is_choice).collect(),
    }
}

pub(super) fn items(context: Context<'_>) -> TokenStream {
    let answers = answers(context);
    let (successes, rejections) = (successes(context, &answers), rejections(&answers));
    let is_used = |answer: &&Answer<'_>| successes.iter().chain(&rejections).any(|used| std::ptr::eq(*used, *answer));
    let inner = answers.iter().filter(is_used).map(|answer| &answer.payload.items);
    let reply = context.forms.whole.then(|| reply_type(context, &successes));
    let rejection = rejection_type(context, &rejections);
    quote!(#(#inner)* #reply #rejection)
}

/// Whether any failure is documented.
pub(super) fn has_rejections(context: Context<'_>) -> bool {
    context.operation.responses.iter().any(|response| is_rejection(response.status))
}

/// Those that a whole reply stands for.
fn successes<'a, 'p>(context: Context<'p>, answers: &'a [Answer<'p>]) -> Vec<&'a Answer<'p>> {
    let is_success = |answer: &&Answer<'_>| context.operation.is_success(answer.response.status);
    answers.iter().filter(|_| context.forms.whole).filter(is_success).collect()
}

/// Whether a reply can only be the one success, of one status: then it is what that says, and needs no variant. A range or
/// `default` leaves open which status came.
fn is_alone(successes: &[&Answer<'_>]) -> bool {
    matches!(successes, [only] if matches!(only.response.status, Status::Code(_)))
}

fn rejections<'a, 'p>(answers: &'a [Answer<'p>]) -> Vec<&'a Answer<'p>> {
    answers.iter().filter(|answer| is_rejection(answer.response.status)).collect()
}

/// `default` stands for every failure that is not listed, even where it stands for success too.
fn is_rejection(status: Status) -> bool {
    status.is_success() != Some(true)
}

fn reply_type(context: Context<'_>, successes: &[&Answer<'_>]) -> TokenStream {
    let name = ident(&context.names.reply);
    let doc = format!(" What {} answers.", docs::link(&context.names.marker));
    match successes {
        [] => quote!(#[doc = #doc] pub type #name = ();),
        [only] if is_alone(successes) => {
            let ty = only.payload.ty.clone().unwrap_or_else(|| quote!(()));
            quote!(#[doc = #doc] pub type #name = #ty;)
        }
        several => answer_enum(&name, &doc, several),
    }
}

fn rejection_type(context: Context<'_>, rejections: &[&Answer<'_>]) -> TokenStream {
    let name = ident(&context.names.rejection);
    if rejections.is_empty() {
        let doc = format!(" {} documents no failure.", docs::link(&context.names.marker));
        return quote!(#[doc = #doc] pub type #name = rt::NoRejection;);
    }
    let doc = format!(" How {} fails, as documented.", docs::link(&context.names.marker));
    answer_enum(&name, &doc, rejections)
}

fn answer_enum(name: &Ident, doc: &str, answers: &[&Answer<'_>]) -> TokenStream {
    let variants = answers.iter().map(|answer| {
        let (docs, variant) = (docs::attributes(&answer.response.docs), &answer.variant);
        let ty = &answer.payload.ty;
        match (answer.response.status, ty) {
            (Status::Code(_), None) => quote!(#docs #variant,),
            (Status::Code(_), Some(ty)) => quote!(#docs #variant(#ty),),
            (_, ty) => {
                let body = ty.as_ref().map(|ty| {
                    quote! {
                        /// The body.
                        body: #ty,
                    }
                });
                quote! {
                    #docs
                    #variant {
                        /// The status.
                        status: rt::StatusCode,
                        #body
                    },
                }
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name {
            #(#variants)*
        }
    }
}

pub(super) fn decode(context: Context<'_>) -> TokenStream {
    let answers = answers(context);
    let (successes, rejections) = (successes(context, &answers), rejections(&answers));
    let several = !is_alone(&successes);
    let (reply, rejection) = (ident(&context.names.reply), ident(&context.names.rejection));
    let listed = listed(&answers);
    let mut arms: Vec<(Status, TokenStream)> = Vec::new();
    for answer in &successes {
        let read = if several { variant(&reply, answer) } else { answer.payload.read.clone() };
        let status = match answer.response.status {
            Status::Default => Status::Range(2),
            status => status,
        };
        let pattern = pattern(status, &listed);
        arms.push((answer.response.status, quote!(#pattern => rt::Decoded::Reply(#read),)));
    }
    for answer in &rejections {
        let (pattern, read) = (pattern(answer.response.status, &listed), variant(&rejection, answer));
        arms.push((answer.response.status, quote!(#pattern => rt::Decoded::Rejection(#read),)));
    }
    // Listed statuses go before ranges, ranges before `default`; its success goes before its failure.
    arms.sort_by_key(|(status, _)| *status);
    let is_total = rejections.iter().any(|answer| answer.response.status == Status::Default);
    let otherwise = (!is_total).then(|| quote!(_ => rt::Decoded::Undocumented,));
    let arms: Vec<TokenStream> = arms.into_iter().map(|(_, arm)| arm).collect();
    let head = |reply: TokenStream, body: TokenStream| {
        quote! {
            fn decode(
                #reply: &rt::http::RawReply,
            ) -> Result<rt::Decoded<Self::Reply, Self::Rejection>, rt::wire::DecodeError> {
                #body
            }
        }
    };
    if arms.is_empty() {
        return head(quote!(_), quote!(Ok(rt::Decoded::Undocumented)));
    }
    // `default` alone: there is nothing to choose from.
    if let ([only], true) = (rejections.as_slice(), is_total && successes.is_empty()) {
        let read = variant(&rejection, only);
        return head(quote!(reply), quote!(Ok(rt::Decoded::Rejection(#read))));
    }
    head(quote!(reply), quote!(Ok(match reply.status.as_u16() { #(#arms)* #otherwise })))
}

/// The statuses that are documented one by one, in order.
fn listed(answers: &[Answer<'_>]) -> BTreeSet<u16> {
    let code = |answer: &Answer<'_>| match answer.response.status {
        Status::Code(code) => Some(code),
        Status::Range(_) | Status::Default => None,
    };
    answers.iter().filter_map(code).collect()
}

/// The statuses a response stands for: of a range, those that are not `listed`, so that no two arms overlap.
fn pattern(status: Status, listed: &BTreeSet<u16>) -> TokenStream {
    match status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(#code)
        }
        Status::Range(class) => {
            let (mut low, end) = (u16::from(class) * 100, u16::from(class) * 100 + 100);
            let mut pieces = Vec::new();
            for code in listed.range(low..end).copied().chain([end]) {
                pieces.extend(match code - low {
                    0 => None,
                    1 => {
                        let low = Literal::u16_unsuffixed(low);
                        Some(quote!(#low))
                    }
                    _ => {
                        let (low, high) = (Literal::u16_unsuffixed(low), Literal::u16_unsuffixed(code - 1));
                        Some(quote!(#low..=#high))
                    }
                });
                low = code + 1;
            }
            if pieces.is_empty() {
                // All hundred are listed.
                let (low, high) = (Literal::u16_unsuffixed(end - 100), Literal::u16_unsuffixed(end - 1));
                return quote!(#low..=#high);
            }
            quote!(#(#pieces)|*)
        }
        Status::Default => quote!(_),
    }
}

fn variant(name: &Ident, answer: &Answer<'_>) -> TokenStream {
    let (variant, read) = (&answer.variant, &answer.payload.read);
    match (answer.response.status, &answer.payload.ty) {
        (Status::Code(_), None) => quote!(#name::#variant),
        (Status::Code(_), Some(_)) => quote!(#name::#variant(#read)),
        (_, None) => quote!(#name::#variant { status: reply.status }),
        (_, Some(_)) => quote!(#name::#variant { status: reply.status, body: #read }),
    }
}
