const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const ofDate = (iso: string) => `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

/** `at`: unix ms. */
export const dayInWords = (at: number) => ofDate(new Date(at).toISOString());

/** With the time of day, in UTC. `at`: unix ms. */
export const timeInWords = (at: number) => `${dayInWords(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
