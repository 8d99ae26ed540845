import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';

export interface Media {
  readonly type: string;
  readonly schema: JsonObject;
  readonly example?: Json;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonObject;
  readonly example?: string | number;
}

export interface DescribedOperation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** With parameters in braces: `/api/role/{slug}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly request: Media | null;
  readonly answer: Media;
  readonly codes: readonly ServiceErrorCode[];
  /** Whether the code of a 400 may be a field name. */
  readonly refusesFields: boolean;
  /** USD with 6 places; `quote` if the 402 gives the price; null if it is free. */
  readonly price: string | null;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content: Content } };
  readonly 'x-error-codes': readonly ServiceErrorCode[];
  readonly 'x-payment-info'?: { readonly price?: string };
}

type Content = { readonly [type: string]: Omit<Media, 'type'> };
interface Shared {
  readonly parameters: { readonly [name: string]: Parameter };
  readonly schemas: { readonly [name: string]: JsonObject };
}

export function readOperations(document: JsonObject): DescribedOperation[] {
  const paths = document['paths'] as unknown as { [path: string]: { [method: string]: RawOperation } };
  const shared = document['components'] as unknown as Shared;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      ...operationOf(raw, shared),
      method: method as 'get' | 'post',
      path,
    })),
  );
}

function operationOf(raw: RawOperation, shared: Shared): Omit<DescribedOperation, 'method' | 'path'> {
  const { operationId: id, tags, summary, description = '', requestBody, responses } = raw;
  const codes = raw['x-error-codes'];
  const payment = raw['x-payment-info'];
  const parameters = (raw.parameters ?? []).map(each =>
    '$ref' in each ? shared.parameters[lastWord(each.$ref)]! : each,
  );
  return {
    id,
    tag: tags[0]!,
    summary,
    description,
    parameters,
    request: requestBody ? mediaOf(requestBody, shared) : null,
    answer: mediaOf(responses['200']!, shared),
    codes,
    refusesFields: responses['400'] !== undefined,
    price: payment ? (payment.price ?? 'quote') : null,
  };
}

const lastWord = (reference: string) => reference.split('/').at(-1)!;

function mediaOf({ content }: { readonly content: Content }, { schemas }: Shared): Media {
  const [type, media] = Object.entries(content)[0]!;
  const { $ref } = media.schema;
  return { type, ...media, ...(typeof $ref === 'string' && { schema: schemas[lastWord($ref)]! }) };
}
