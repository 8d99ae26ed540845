import type { Fact } from '#libs/kernel/event.js';
import { STORY, WORKER } from '../../vectors/event-story.js';

export { HIRE, POSTER, ROLE, WORKER } from '../../vectors/event-story.js';

/** Somebody who has no part in the job. */
export const STRANGER = 'agent_stranger00';

/** The story's fact of a type, with some of its data changed. */
export function told(type: string, changed: object = {}): Fact {
  const found = STORY.find(({ fact }) => fact.type === type)!.fact;
  return { ...found, data: { ...(found.data as object), ...changed } };
}

export const registered = told('Registered');
export const joined = told('Joined');
/** A job with one seat, a trial question and a budget. */
export const jobPosted = (changed: object = {}) => told('JobPosted', { expires_at: null, ...changed });
/** A free job without a trial question. */
export const plainJob = (changed: object = {}) => jobPosted({ trial: null, budget: null, payment: null, ...changed });
export const seatFilled = (worker = WORKER) => told('SeatFilled', { worker });
export const jobClosed = (reason = 'closed') => told('JobClosed', { closed_reason: reason });
export const applied = (worker = WORKER) => told('Applied', { muse_id: worker });
export const hired = (changed: object = {}) => told('Hired', changed);
export const delivered = (delivery = 1) => told('Delivered', { delivery });
export const deliveryRead = (delivery = 1) => told('DeliveryRead', { delivery });
export const paid = told('Paid');
export const houseJob = (changed: object = {}) => plainJob({ poster: null, ...changed });
