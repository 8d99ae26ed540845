import type { Fact } from '#libs/kernel/event.js';
import { HIRE, ROLE, STORY, WORKER } from '../../vectors/event-story.js';

export { CHECKER, HIRE, POSTER, ROLE, WORKER } from '../../vectors/event-story.js';

export const STRANGER = 'agent_stranger00';

/** Copies an event of the recorded story with changed data. */
export function told(type: string, changed: object = {}): Fact {
  const match = STORY.find(({ fact }) => fact.type === type)!.fact;
  return { ...match, data: { ...(match.data as object), ...changed } };
}

export const registered = told('Registered');
export const joined = told('Joined');
export const forgotten = (muse = WORKER) => told('Forgotten', { muse_id: muse });
export const jobPosted = (changed: object = {}) => told('JobPosted', { expires_at: null, ...changed });
export const plainJob = (changed: object = {}) => jobPosted({ trial: null, budget: null, payment: null, ...changed });
export const seatFilled = (worker = WORKER) => told('SeatFilled', { worker });
export const jobClosed = (reason = 'closed') => told('JobClosed', { closed_reason: reason });
export const APPLICATION = (told('Applied').data as { item: number }).item;
export const withdrawn = (application = APPLICATION) => told('Withdrawn', { role: ROLE, application });
export const seatFreed = (reopens = false) => told('SeatFreed', { role: ROLE, hire: HIRE, worker: WORKER, reopens });
export const payoutAsked = told('PayoutAsked', { hire: HIRE, role: ROLE });
export const hireEnded = (changed: object = {}) => told('HireEnded', { hire: HIRE, role: ROLE, ...changed });
export const rechecked = (changed: object = {}) => told('Rechecked', changed);
export const disputed = (by = WORKER, changed: object = {}) => told('Disputed', { by, ...changed });
export const applied = (worker = WORKER) => told('Applied', { muse_id: worker });
export const hired = (changed: object = {}) => told('Hired', changed);
export const delivered = (delivery = 1) => told('Delivered', { delivery });
export const deliveryRead = (delivery = 1) => told('DeliveryRead', { delivery });
export const wageStarted = told('WageStarted');
export const paid = told('Paid');
export const houseJob = (changed: object = {}) => plainJob({ poster: null, ...changed });
