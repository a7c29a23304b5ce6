//! What an operation answers: one type for its documented successes, one for its documented failures.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::ident::ident;
use super::Context;
use super::payload::Payload;
use crate::model::{Response, Status};

/// A documented response with its names and content.
struct Answer<'p> {
    response: &'p Response,
    variant: Ident,
    payload: Payload,
}

fn answers(context: Context<'_>) -> Vec<Answer<'_>> {
    let named = context.operation.responses.iter().zip(&context.names.responses).zip(&context.names.response_parts);
    named
        .map(|((response, variant), parts)| Answer {
            response,
            variant: ident(variant),
            payload: Payload::of(context, response, parts),
        })
        .collect()
}

pub(super) fn items(context: Context<'_>) -> TokenStream {
    let answers = answers(context);
    let inner = answers.iter().map(|answer| &answer.payload.items);
    let reply = reply_type(context, &successes(context, &answers));
    let rejection = rejection_type(context, &rejections(&answers));
    quote!(#(#inner)* #reply #rejection)
}

fn successes<'a, 'p>(context: Context<'p>, answers: &'a [Answer<'p>]) -> Vec<&'a Answer<'p>> {
    answers.iter().filter(|answer| context.is_success(answer.response.status)).collect()
}

fn rejections<'a, 'p>(answers: &'a [Answer<'p>]) -> Vec<&'a Answer<'p>> {
    // `default` stands for every failure that is not listed, even where it stands for success too.
    let is_rejection = |status: Status| match status {
        Status::Code(code) => !(200..300).contains(&code),
        Status::Range(class) => class != 2,
        Status::Default => true,
    };
    answers.iter().filter(|answer| is_rejection(answer.response.status)).collect()
}

fn reply_type(context: Context<'_>, successes: &[&Answer<'_>]) -> TokenStream {
    let name = ident(&context.names.reply);
    let doc = format!(" What {} answers.", docs::link(&context.names.marker));
    match successes {
        [] => quote!(#[doc = #doc] pub type #name = ();),
        [only] => {
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
    let several = successes.len() > 1;
    let (reply, rejection) = (ident(&context.names.reply), ident(&context.names.rejection));
    let mut arms: Vec<(Status, TokenStream)> = Vec::new();
    for answer in &successes {
        let read = if several { variant(&reply, answer) } else { answer.payload.read.clone() };
        let pattern = pattern(match answer.response.status {
            Status::Default => Status::Range(2),
            status => status,
        });
        arms.push((answer.response.status, quote!(#pattern => rt::Decoded::Reply(#read),)));
    }
    for answer in &rejections {
        let (pattern, read) = (pattern(answer.response.status), variant(&rejection, answer));
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
    head(quote!(reply), quote!(Ok(match reply.status.as_u16() { #(#arms)* #otherwise })))
}

fn pattern(status: Status) -> TokenStream {
    match status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(#code)
        }
        Status::Range(class) => {
            let low = u16::from(class) * 100;
            let (low, high) = (Literal::u16_unsuffixed(low), Literal::u16_unsuffixed(low + 99));
            quote!(#low..=#high)
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
