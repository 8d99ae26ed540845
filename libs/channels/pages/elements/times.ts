const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const formatIsoDate = (iso: string) =>
  `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

/** `at`: unix ms. */
export const formatDay = (at: number) => formatIsoDate(new Date(at).toISOString());

/** Hours and minutes in UTC. `at`: unix ms. */
export const formatClock = (at: number) => new Date(at).toISOString().slice(11, 16);

/** UTC with the time of day. `at`: unix ms. */
export const formatTime = (at: number) => `${formatDay(at)}, ${formatClock(at)} UTC`;
