import type { Outgoing } from '../../wire/exchange.ts'

/** The S3 error codes that storage uses, and their status (Amazon S3 API Reference, Error Responses). */
const statuses = {
  AccessDenied: 403,
  BadDigest: 400,
  IncompleteBody: 400,
  // S3 is never full; this is the name of the status (RFC 4918).
  InsufficientStorage: 507,
  InternalError: 500,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidObjectState: 403,
  InvalidRequest: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

export type StorageCode = keyof typeof statuses

/** An error of storage, answered as XML. */
export class StorageError extends Error {
  constructor(
    readonly code: StorageCode,
    message: string,
    readonly extra: {
      readonly headers?: Readonly<Record<string, string>>
      readonly status?: number
      /** Elements of this code alone, such as `Condition`. */
      readonly fields?: Record<string, string>
    } = {},
  ) {
    super(message)
  }

  /** Converts the error to an answer in S3's format (gap.storage-errors). */
  toOutgoing(resource: string): Outgoing {
    const { code, message } = this
    const { headers = {}, status = statuses[code], fields: own } = this.extra
    const fields = { Code: code, Message: message, ...own, Resource: resource, RequestId: crypto.randomUUID() }
    const xml = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
    return {
      status,
      headers: [['Content-Type', 'application/xml'], ...Object.entries(headers)],
      refusal: { code, detail: message },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${xml.join('')}</Error>\n`,
    }
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)
}
