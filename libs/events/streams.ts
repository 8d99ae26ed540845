/** Names of streams (architecture 4.5). A stream's category is its name up to the first hyphen. */
export const museStream = (museId: string) => `muse-${museId}`;
export const jobStream = (slug: string) => `job-${slug}`;
export const applicationStream = (slug: string, museId: string) => `application-${slug}:${museId}`;
export const hireStream = (hire: number) => `hire-${hire}`;
export const claimStream = (kind: string, hmac: string) => `claim-${kind}-${hmac}`;
/** `chain` is the CAIP-2 name without its prefix; everything is in lower case. */
export const paymentStream = (payment: string) => `payment-${payment}`;

/** Keys of the service itself. */
export const SERVICE_STREAM = 'service';

/** The last part of a stream's name: the slug, the muse, the hire's number. */
export function streamKey(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
