/** Variants of the storage URL, and of the place of the storage key in answers. */
import { aliasUrls } from '../aliases.ts'
import { renamed } from '../json.ts'
import { changeAnswers, type Members, onCalls } from '../wrapper.ts'
import type { Axis } from './axis.ts'
import { withoutInUpload } from './identifiers.ts'

const uploads = (change: (body: Members) => unknown) => changeAnswers(['requestUpload'], change)
const pathOf = ({ pathname }: URL) => pathname.replace(/^\/storage\//, '')

/** Storage answers with these headers in place of its ETag. */
const storageHeaders = (more: Readonly<Record<string, string>>) =>
  onCalls(['putObject'], async (request, inner) => {
    const response = await inner(request)
    const headers = new Headers(response.headers)
    headers.delete('ETag')
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    return new Response(response.body, { status: response.status, headers })
  })

export const storageAxes: readonly Axis[] = [
  {
    axis: 'storage-url',
    values: {
      'bucket-path': () =>
        aliasUrls((url) => {
          url.pathname = `/documents-bucket/${pathOf(url)}`
        }),
      opaque: () =>
        aliasUrls((url, _, index) => {
          url.pathname = `/o/${index}`
          url.search = '?token=opaque'
        }),
      'other-port': () =>
        aliasUrls((url) => {
          url.port = '9000'
        }),
      'virtual-host': () =>
        aliasUrls((url) => {
          url.host = 'documents.s3.storage.test'
          url.pathname = pathOf(url)
        }),
    },
  },
  {
    axis: 'storage-key',
    values: {
      'url-only': () => withoutInUpload('key'),
      'storage-key': () => uploads((body) => renamed(body, { key: 'storage_key' })),
      'object-key': () => uploads((body) => renamed(body, { key: 'objectKey' })),
      path: () => uploads((body) => renamed(body, { key: 'path' })),
      fields: () => uploads(({ key, ...body }) => ({ ...body, fields: { key } })),
      'behind-its-folder': () =>
        uploads(({ key, ...body }) => ({ folder: 'tenants/t/', thumbnail_key: `${key}.png`, ...body, key })),
      'folder-and-url': () =>
        uploads(({ key, ...body }) => ({ key_prefix: String(key).replace(/[^/]+$/, ''), ...body })),
      'other-address': () => uploads(({ key, ...body }) => ({ ...body, location: `s3://documents/${key}` })),
      'files-list': () =>
        uploads(({ session_id, key, ...file }) => ({
          session_id,
          files: [{ ...file, key, file_name: String(key).split('/').at(-1) }],
        })),
    },
  },
  {
    axis: 'etag',
    values: {
      none: () => storageHeaders({}),
      // As S3 does with a key of KMS: as long as an MD5, and of something else.
      'of-encrypted-bytes': () => {
        let puts = 0
        return onCalls(['putObject'], (request, inner) => {
          puts += 1
          return storageHeaders({ ETag: `"${(0x9e3779b97f4a * puts).toString(16).padStart(32, '0')}"` })(inner)(request)
        })
      },
      // RFC 9530: the digest of the answer itself, which is empty.
      'digest-of-answer': () =>
        storageHeaders({ 'Content-Digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:' }),
    },
  },
]
