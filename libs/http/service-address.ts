import { isSameOrigin } from './authentication/origin.js';

/** The service's own address, known for good once a port was taken. */
export class ServiceAddress {
  constructor(private readonly address: { readonly baseUrl: string }) {}

  /** Without a slash at its end. */
  get url(): string {
    return this.address.baseUrl;
  }

  /** Scheme and host as a caller knows them: on one machine the service has several names. */
  asCalled(host: string | readonly string[] | undefined): string {
    const { origin, protocol } = new URL(this.address.baseUrl);
    const called = `${protocol}//${String(host)}`;
    return isSameOrigin(called, origin) ? new URL(called).origin : origin;
  }
}
