export const isSuccessStatus = (status: number) => status >= 200 && status < 300;
