impl Mapping<ListPets for
