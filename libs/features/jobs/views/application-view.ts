import { type ApplicationDocument, applicationKey } from './applications.js';

export const hireEvidence = (hire: number) => `/api/record/hire/${hire}`;
export const applicationEvidence = (role: string, museId: string) =>
  `/api/record/application/${applicationKey(role, museId)}`;

export function applicationView(application: ApplicationDocument) {
  const { role, muse_id, status, note, crew, hire, created_at, updated_at } = application;
  const evidence = hire === null ? applicationEvidence(role, muse_id) : hireEvidence(hire);
  return { muse_id, status, note, crew, evidence, created_at, updated_at };
}
