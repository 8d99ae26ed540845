/** The text in place of a link to an erased delivery. */
export const erasedDelivery = (post: number | null) =>
  post === null ? 'an address that was erased' : 'a post that was erased';
