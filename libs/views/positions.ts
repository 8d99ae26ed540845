import type { ApplicationDocument } from './applications.js';
import { applicationKey } from './applications.js';
import { type HireDocument, latest } from './hires.js';

export const hireEvidence = (hire: number) => `/api/record/hire/${hire}`;
export const applicationEvidence = (role: string, museId: string) =>
  `/api/record/application/${applicationKey(role, museId)}`;

/** What an application or a hire has not, or not yet. */
const NOTHING_YET = {
  read_at: null,
  delivery: null,
  dispute: null,
  acceptance: null,
  drift: null,
  settlement: null,
  paid: false,
  last_recheck: null,
  check_state: null,
  check_counts: null,
  earlier_id: null,
  ended: null,
};

/** The state of a hire's delivery and pay, as positions and feed items show it. */
export function hireState(hire: HireDocument) {
  const delivery = latest(hire);
  const shown = delivery && {
    post: delivery.post,
    url: delivery.url,
    digest: delivery.digest,
    read_at: delivery.read_at,
  };
  return {
    delivery: shown,
    dispute: null,
    acceptance: null,
    drift: hire.drift,
    settlement: delivery ? 'delivered' : null,
    paid: hire.paid !== null,
    last_recheck: null,
    check_state: hire.unreadable ? 'unreadable' : null,
    check_counts: null,
    ended: null,
  };
}

/** A position (specification 2.4) that is a hire. */
export function hiredPosition(hire: HireDocument, title: string | null) {
  return {
    ...NOTHING_YET,
    ...hireState(hire),
    role: hire.role,
    status: 'hired',
    hire: hire.hire,
    title,
    poster: hire.poster,
    crew: hire.crew,
    created_at: hire.created_at,
    updated_at: hire.updated_at,
    evidence: hireEvidence(hire.hire),
  };
}

/** A position (specification 2.4) that is an application. */
export function appliedPosition(application: ApplicationDocument, title: string | null) {
  const { role, muse_id, poster, crew, created_at, updated_at } = application;
  const evidence = applicationEvidence(role, muse_id);
  return { ...NOTHING_YET, role, status: 'applied', title, poster, crew, created_at, updated_at, evidence };
}
