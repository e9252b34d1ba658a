import { decodePercent, type Located, membersOf, parentOf } from './locate.ts'
import { isNamed, mentionsRole, termsOf } from './vocabulary.ts'

/** Returns true if a name is that of a storage key. */
export function isCalledKey(name: string): boolean {
  return isNamed(name, 'key')
}

/**
 * Finds the storage key: a text that is one from beginning to end, at any place; or else a member with its name, a text that
 * begins like one, or that part of the upload URL. A path that ends with the name of the file and is also part of the upload URL is a
 * key by its use, even if it does not begin like one; or else the whole path of the URL is. A text that ends with a slash is the folder
 * of the file.
 */
export function storageKeyIn(json: unknown, uploadUrl: string, fileName: string): Located | undefined {
  const texts = membersOf(json).flatMap(({ pointer, name, value }): Text[] => {
    // Some answers have an object with storage keys as names.
    const named = name.startsWith('tenants/')
      ? [{ pointer: `a name in ${parentOf(pointer)}`, name: 'key', value: name }]
      : []
    return typeof value === 'string' ? [...named, { pointer, name, value }] : named
  })
  const called = ({ name }: Located) => isCalledKey(name)
  const path = decodePercent(new URL(uploadUrl).pathname)
  const isFolder = ({ name, value }: Text) =>
    value.endsWith('/') || path.includes(`/${value}/`) || mentionsRole(termsOf(name), 'prefix')
  const folder = texts.find(
    ({ name, value }) => value.startsWith('tenants/') && (value.endsWith('/') || mentionsRole(termsOf(name), 'folder')),
  )
  const whole = texts.filter(({ value }) => value.startsWith('tenants/') && endsWithName(value, fileName))
  return (
    whole.find((member) => called(member) && path.endsWith(`/${member.value}`)) ??
    whole.find(called) ??
    whole[0] ??
    texts.find((member) => called(member) && /\/./.test(member.value)) ??
    texts.find((member) => member.value.startsWith('tenants/') && !isFolder(member)) ??
    texts.find(called) ??
    keyInUrl(uploadUrl) ??
    texts.find(({ value }) => isPath(value) && endsWithName(value, fileName) && isPartOf(uploadUrl, value)) ??
    (path.endsWith(fileName) ? inUrl(path.slice(1)) : undefined) ??
    texts.flatMap((member) => keyWithin(member, fileName))[0] ??
    (folder && { ...folder, value: `${folder.value.replace(/\/$/, '')}/${fileName}` })
  )
}

/** Returns true for a text such as `files/7/name.pdf`, with a folder and without a host. */
const isPath = (text: string) => /^[^/:?]+\/./.test(text)

/** Returns true if a text is a parameter of a URL, or the end of its path. */
function isPartOf(url: string, text: string): boolean {
  const { pathname, searchParams } = new URL(url)
  return decodePercent(pathname).endsWith(`/${text}`) || [...searchParams.values()].includes(text)
}

type Text = Located & { readonly value: string }

/** Returns true if a key ends with the file's name. Both are compared in NFC (Unicode Standard Annex 15). */
export function endsWithName(key: string, fileName: string): boolean {
  return key.normalize('NFC').endsWith(fileName.normalize('NFC'))
}

const inUrl = (value: string): Located => ({ pointer: 'upload_url', name: 'upload_url', value })

/** Extracts a key that begins with `tenants/` from the upload URL. A bucket may also be called tenants. */
function keyInUrl(uploadUrl: string): Located | undefined {
  const { pathname, searchParams } = new URL(uploadUrl)
  for (const text of [decodePercent(pathname), ...searchParams.values()]) {
    const found = text.match(/(?:^|\/)(tenants\/(?!tenants\/).+)$/)?.[1]
    if (found) return inUrl(found)
  }
  return undefined
}

/** Extracts the key from another URL of the object, such as `s3://bucket/tenants/…`. */
function keyWithin({ value, ...member }: Text, fileName: string): Located[] {
  const from = value.indexOf('/tenants/')
  const key = decodePercent(value.slice(from + 1))
  return from >= 0 && endsWithName(key, fileName) ? [{ ...member, value: key }] : []
}
