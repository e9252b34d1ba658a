import { createHash } from 'node:crypto'
import { ArchiveError } from '../../world/archive.ts'
import { createS3Client, explainRefusal, type S3Options } from './s3-client.ts'

/** Marks our rule among those of others. */
const id = 'countersign'
const [begin, end] = ['<CORSRule>', '</CORSRule>']
const empty = '<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></CORSConfiguration>'

/**
 * Writes a CORS rule into a bucket, so that pages on these origins may send files to it. Rules of others stay. Returns a sentence
 * that says what was done. Rejects with an `ArchiveError`.
 */
export async function initObjects(options: S3Options, origins: readonly string[]): Promise<string> {
  const { send, place, credentials } = await createS3Client(options)
  credentials.stop()
  const current = await send({ method: 'GET', path: '?cors' })
  const isMissing = current.code === 'NoSuchCORSConfiguration'
  if (current.status !== 200 && !isMissing) throw new ArchiveError(refusal(current, place))
  const body = withRule(isMissing ? empty : current.text, ruleFor(origins))
  // S3 requires a digest for this call.
  const headers = { 'Content-Type': 'application/xml', 'Content-MD5': createHash('md5').update(body).digest('base64') }
  const written = await send({ method: 'PUT', path: '?cors', headers, body })
  if (written.status < 200 || written.status > 299) throw new ArchiveError(refusal(written, place))
  return `Pages on ${origins.join(', ')} may send files to bucket ${place}.`
}

function refusal(answer: Parameters<typeof explainRefusal>[0], place: string): string {
  if (answer.status !== 501 && answer.code !== 'NotImplemented') {
    return answer.code === 'AccessDenied'
      ? `The credentials may not change the CORS rules of bucket ${place}. They need s3:GetBucketCORS and s3:PutBucketCORS.`
      : explainRefusal(answer, place)
  }
  return `The store of bucket ${place} takes no CORS rules through its S3 interface. Set them with its own tool: method PUT, header Content-Type.`
}

function ruleFor(origins: readonly string[]): string {
  const allowed = origins.map((origin) => `<AllowedOrigin>${escapeXml(origin)}</AllowedOrigin>`).join('')
  const methods = '<AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader>'
  return `${begin}<ID>${id}</ID>${allowed}${methods}<MaxAgeSeconds>600</MaxAgeSeconds>${end}`
}

/** Returns a configuration with a rule, which replaces an earlier one of ours. */
function withRule(configuration: string, rule: string): string {
  const [head = '', ...rest] = configuration.split(begin)
  const others = rest.map((text) => text.split(end)[0] ?? '').filter((text) => !text.includes(`<ID>${id}</ID>`))
  const kept = others.map((text) => begin + text + end).join('')
  return `${head.replace('</CORSConfiguration>', '')}${kept}${rule}</CORSConfiguration>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
