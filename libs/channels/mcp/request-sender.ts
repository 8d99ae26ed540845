import type { InnerResponse, InnerRequest } from '#libs/http/inner-request.js';

/** Carries out a request of the service for whoever called the tool. */
export type RequestSender = (request: InnerRequest) => Promise<InnerResponse>;

/** Under this name each request brings its `CarryOut` to the tools. */
export const REQUEST_SENDER = 'carryOut';
