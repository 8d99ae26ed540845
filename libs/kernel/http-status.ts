/** RFC 9110, 15.3. */
export const isSuccessStatus = (status: number) => status >= 200 && status < 300;
