/** Variants of the storage URL, and of the place of the storage key in answers. */
import type { Json } from '../../../src/profile/template.ts'
import { aliasUrls } from '../aliases.ts'
import { renameMembers, without } from '../json.ts'
import { changeBodies, changeTemplates, inTurn } from '../profile-changes.ts'
import { leftOut, type Templates } from '../templates.ts'
import { type Axis, behaviours, shapes } from './axis.ts'

const pathOf = ({ pathname }: URL) => pathname.replace(/^\/storage\//, '')
const uploads = (change: (body: Templates) => Json) => changeBodies(['requestUpload'], change)
const keyCalled = (name: string) => uploads((body) => renameMembers(body, { key: name }))
/** Replaces a member by an object that has it under the name of the file. */
const nameByFile = ($entries: string, name: string, shown: string) => (body: Templates) => {
  const { [name]: value, ...others } = body
  return value === undefined ? body : { ...others, [shown]: { $entries, key: { $: '0' }, value } }
}

const byFileName = inTurn(
  uploads(nameByFile('/request/file_name', 'key', 'keys')),
  changeBodies(['confirmUpload'], nameByFile('/answer/file_name', 'document_id', 'docs')),
  changeBodies(['confirmUpload'], nameByFile('/answer/file_name', 'file_size', 'size')),
)

/** Replaces the ETag in storage's answers by other headers. */
const storageHeaders = (more: Templates) =>
  changeTemplates(['putObject'], (template) => ({
    ...template,
    headers: { ...without(template.headers, 'etag'), ...more },
  }))

export const storageAxes: readonly Axis[] = [
  behaviours('storage-url', {
    'bucket-path': aliasUrls((url) => {
      url.pathname = `/documents-bucket/${pathOf(url)}`
    }),
    opaque: aliasUrls((url, _, index) => {
      url.pathname = `/o/${index}`
      url.search = '?token=opaque'
    }),
    'other-port': aliasUrls((url) => {
      url.port = '9000'
    }),
    'virtual-host': aliasUrls((url) => {
      url.host = 'documents.s3.storage.test'
      url.pathname = pathOf(url)
    }),
  }),
  shapes('storage-key', {
    'url-only': changeBodies(['requestUpload', 'confirmUpload'], (body) => without(body, 'key')),
    'storage-key': keyCalled('storage_key'),
    'object-key': keyCalled('objectKey'),
    path: keyCalled('path'),
    fields: uploads(({ key = leftOut, ...body }) => ({ ...body, fields: { key } })),
    'behind-its-folder': uploads(({ key = leftOut, ...body }) => ({
      folder: 'tenants/t/',
      thumbnail_key: { $text: [key, '.png'] },
      ...body,
      key,
    })),
    'folder-and-url': uploads(({ key: _, ...body }) => ({ key_prefix: { $: '/answer/key', as: 'folder' }, ...body })),
    'other-address': uploads(({ key = leftOut, ...body }) => ({
      ...body,
      location: { $text: ['s3://documents/', key] },
    })),
    'by-file-name': byFileName,
    'files-list': uploads(({ session_id = leftOut, ...file }) => ({
      session_id,
      files: [{ ...file, file_name: { $: '/request/file_name' } }],
    })),
  }),
  shapes('etag', {
    none: storageHeaders({}),
    // Like S3 with KMS encryption: as long as an MD5, but not an MD5 of the file.
    'of-encrypted-bytes': storageHeaders({ etag: { $text: ['"', { $new: 'hex', length: 32, per: 'call' }, '"'] } }),
    // RFC 9530: the digest of the answer itself, which is empty.
    'digest-of-answer': storageHeaders({
      'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    }),
  }),
]
