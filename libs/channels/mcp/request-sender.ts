import type { InnerResponse, InnerRequest } from '#libs/http/inner-request.js';

/** Sends a request to the service in the name of the tool's caller. */
export type RequestSender = (request: InnerRequest) => Promise<InnerResponse>;

/** Key of the `RequestSender` in the SDK's authentication context. */
export const REQUEST_SENDER = 'requestSender';
