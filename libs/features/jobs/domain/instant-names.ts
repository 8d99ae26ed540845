const ROLE = /^instant-([0-9]{12})$/;
const ADDRESS = /^\/api\/instant\/([0-9]{12})$/;

const numberIn = (pattern: RegExp, text: string) => {
  const match = pattern.exec(text);
  return match && Number(match[1]);
};

/** The house role that a passed task opens and fills; null for other roles. */
export const roleOfTask = (task: number) => `instant-${task}`;
export const taskOfRole = (role: string): number | null => numberIn(ROLE, role);

/** Path of the answer to a passed task; null for other addresses. */
export const addressOfTask = (task: number) => `/api/instant/${task}`;
export const taskAtAddress = (url: string): number | null => numberIn(ADDRESS, url);
