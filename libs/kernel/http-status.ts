/** RFC 9110, 15.3. */
export const isSuccess = (status: number) => status >= 200 && status < 300;
