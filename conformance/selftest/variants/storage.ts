/** Variants of the storage URL, and of the place of the storage key in answers. */
import { aliasUrls } from '../aliases.ts'
import { renameMembers } from '../json.ts'
import { changeAnswers, type Members, onCalls } from '../wrapper.ts'
import type { Axis } from './axis.ts'
import { withoutInUpload } from './identifiers.ts'

const changeUploads = (change: (body: Members) => unknown) => changeAnswers(['requestUpload'], change)
const pathOf = ({ pathname }: URL) => pathname.replace(/^\/storage\//, '')

/** Replaces the ETag in storage's answers by other headers. */
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
      'storage-key': () => changeUploads((body) => renameMembers(body, { key: 'storage_key' })),
      'object-key': () => changeUploads((body) => renameMembers(body, { key: 'objectKey' })),
      path: () => changeUploads((body) => renameMembers(body, { key: 'path' })),
      fields: () => changeUploads(({ key, ...body }) => ({ ...body, fields: { key } })),
      'behind-its-folder': () =>
        changeUploads(({ key, ...body }) => ({ folder: 'tenants/t/', thumbnail_key: `${key}.png`, ...body, key })),
      'folder-and-url': () =>
        changeUploads(({ key, ...body }) => ({ key_prefix: String(key).replace(/[^/]+$/, ''), ...body })),
      'other-address': () => changeUploads(({ key, ...body }) => ({ ...body, location: `s3://documents/${key}` })),
      'files-list': () =>
        changeUploads(({ session_id, key, ...file }) => ({
          session_id,
          files: [{ ...file, key, file_name: String(key).split('/').at(-1) }],
        })),
    },
  },
  {
    axis: 'etag',
    values: {
      none: () => storageHeaders({}),
      // Like S3 with KMS encryption: as long as an MD5, but not an MD5 of the file.
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
