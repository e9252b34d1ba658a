import { decoded, type Located, membersOf } from './locate.ts'
import { isNamed, mention, termsOf } from './vocabulary.ts'

/** Whether a member is called as storage keys are. */
export function isCalledKey(name: string): boolean {
  return isNamed(name, 'key')
}

/**
 * The storage key: a text that is one from its beginning to its end, wherever it stands; or else what is called so, what
 * begins as one, or what the upload URL shows. A beginning that ends with a slash is the folder of the file.
 */
export function storageKeyIn(json: unknown, uploadUrl: string, fileName: string): Located | undefined {
  const texts = membersOf(json).filter((member): member is Text => typeof member.value === 'string')
  const called = ({ name }: Located) => isCalledKey(name)
  const path = decoded(new URL(uploadUrl).pathname)
  const isFolder = ({ name, value }: Text) =>
    value.endsWith('/') || path.includes(`/${value}/`) || mention(termsOf(name), 'prefix')
  const folder = texts.find(
    ({ name, value }) => value.startsWith('tenants/') && (value.endsWith('/') || mention(termsOf(name), 'folder')),
  )
  const whole = texts.filter(({ value }) => value.startsWith('tenants/') && endsWithName(value, fileName))
  return (
    whole.find((member) => called(member) && path.endsWith(`/${member.value}`)) ??
    whole.find(called) ??
    whole[0] ??
    texts.find((member) => called(member) && /\/./.test(member.value)) ??
    texts.find((member) => member.value.startsWith('tenants/') && !isFolder(member)) ??
    texts.find(called) ??
    keyInUrl(uploadUrl, fileName) ??
    texts.flatMap((member) => keyWithin(member, fileName))[0] ??
    (folder && { ...folder, value: `${folder.value.replace(/\/$/, '')}/${fileName}` })
  )
}

type Text = Located & { readonly value: string }

/** Whether a key ends with the file's name; the same letters may be written in two ways (Unicode Standard Annex 15). */
export function endsWithName(key: string, fileName: string): boolean {
  return key.normalize('NFC').endsWith(fileName.normalize('NFC'))
}

/**
 * Where the upload URL is the only thing that could show the key: from `tenants/` on, or else all of its path. A bucket may
 * be called tenants too.
 */
function keyInUrl(uploadUrl: string, fileName: string): Located | undefined {
  const { pathname, searchParams } = new URL(uploadUrl)
  const path = decoded(pathname)
  for (const text of [path, ...searchParams.values()]) {
    const found = text.match(/(?:^|\/)(tenants\/(?!tenants\/).+)$/)?.[1]
    if (found) return { pointer: 'upload_url', name: 'upload_url', value: found }
  }
  return path.endsWith(fileName) ? { pointer: 'upload_url', name: 'upload_url', value: path.slice(1) } : undefined
}

/** The key within another address of the object, such as `s3://bucket/tenants/…`. */
function keyWithin({ value, ...member }: Text, fileName: string): Located[] {
  const from = value.indexOf('/tenants/')
  const key = decoded(value.slice(from + 1))
  return from >= 0 && endsWithName(key, fileName) ? [{ ...member, value: key }] : []
}
