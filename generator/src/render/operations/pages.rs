//! Lists that come page by page, as the project file declares.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ident::ident;
use super::Context;
use crate::plan::{PageNext, PagePlan, PageSize};

/// The rule by which the pages of an operation follow each other.
pub(super) fn implementation(context: Context<'_>) -> Option<TokenStream> {
    let PagePlan { next, items } = context.planned.pages.as_ref()?;
    let marker = ident(&context.names.marker);
    let next = match next {
        PageNext::Cursor { from, to } => quote!(Cursor { from: &[#(#from),*], to: #to }),
        PageNext::Number { parameter, first, size } => {
            let size = match size {
                PageSize::Unknown => quote!(Unknown),
                PageSize::Fixed(size) => quote!(Fixed(#size)),
                PageSize::Parameter(name) => quote!(Parameter(#name)),
            };
            quote!(Number { parameter: #parameter, first: #first, size: rt::http::PageSize::#size })
        }
        PageNext::LinkHeader => quote!(LinkHeader),
        PageNext::LinkField { from } => quote!(LinkField { from: &[#(#from),*] }),
    };
    let items = match items {
        Some(path) => quote!(Some(&[#(#path),*])),
        None => quote!(None),
    };
    Some(quote! {
        impl rt::Paged for #marker {
            const PAGES: rt::http::PageRule = rt::http::PageRule { next: rt::http::NextPage::#next, items: #items };
        }
    })
}
