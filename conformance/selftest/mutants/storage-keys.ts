import { aliasKeys } from '../aliases.ts'
import { type Choice, type FaultRow, faultRows, type MutantRow, mutantsOf } from '../mutant.ts'

/** Returns true if answers show the key. */
export const showsKey = (variants: Choice) => variants['storage-key'] !== 'url-only'

const prefixes: [id: string, prefix: string, appliesTo?: (variants: Choice) => boolean][] = [
  ['key-slash-tenants', '/tenants/', showsKey],
  ['key-tenant', 'tenant/'],
  ['key-tenants-in-capitals', 'Tenants/'],
  ['key-uploads-tenants', 'uploads/tenants/', showsKey],
  ['key-dot-tenants', './tenants/', showsKey],
  ['key-bucket-address', 's3://bucket/tenants/', showsKey],
  ['key-tenants-hyphen', 'tenants-'],
  ['key-without-prefix', ''],
]

const ends: readonly FaultRow<(name: string) => string>[] = [
  ['key-in-lower-case', 'The key ends with the file name in lower case.', (name) => name.toLowerCase()],
  ['key-suffixed', 'The key ends with a suffix after the file name.', (name) => `${name}.bin`],
  ['key-numbered', 'The key ends with a number before the extension.', (name) => name.replace(/(\.[^.]*)?$/, '-1$1')],
  [
    'key-without-extension',
    'The key ends with the file name without its extension.',
    (name) => name.replace(/\.[^.]*$/, ''),
  ],
  ['key-without-name', 'The key ends without the file name.', () => '7f3c9a'],
  [
    'key-only-extension',
    'The key ends with the extension of the file name only.',
    (name) => `7f3c9a${/\.[^.]*$/.exec(name)?.[0] ?? ''}`,
  ],
  [
    'key-spaces-encoded',
    'Spaces in the file name are %20 at the end of the key.',
    (name) => name.replaceAll(' ', '%20'),
  ],
  ['key-spaces-plus', 'Spaces in the file name are + at the end of the key.', (name) => name.replaceAll(' ', '+')],
  [
    'key-spaces-underscores',
    'Spaces in the file name are _ at the end of the key.',
    (name) => name.replaceAll(' ', '_'),
  ],
  ['key-spaces-lost', 'Spaces in the file name are lost at the end of the key.', (name) => name.replaceAll(' ', '')],
  ['key-name-cut', 'The file name is cut to 12 characters at the end of the key.', (name) => name.slice(0, 12)],
  [
    'key-between-dots-lost',
    'What is between the first and the last dot of the file name is lost at the end of the key.',
    (name) => name.replace(/\..*\./, '.'),
  ],
  ['key-slash-at-end', 'The key ends with a slash after the file name.', (name) => `${name}/`],
  [
    'key-extension-lower',
    'The extension is in lower case at the end of the key.',
    (name) => name.replace(/\.[^.]*$/, (extension) => extension.toLowerCase()),
  ],
]

/** Returns true if the variant makes no keys of its own. */
export const hasOwnKeys = (variants: Choice) => variants['key-middle'] === undefined

export const storageKeyMutants = mutantsOf([
  ...prefixes.map(
    ([id, prefix, appliesTo = hasOwnKeys]): MutantRow => [
      id,
      `The key begins with '${prefix}' instead of 'tenants/'.`,
      'completed-file.key-begins-with-tenants',
      aliasKeys((key) => key.replace(/^tenants\//, prefix)),
      (variants) => hasOwnKeys(variants) && appliesTo(variants),
    ],
  ),
  ...faultRows(
    'completed-file.key-ends-with-file-name',
    ends,
    (end) => aliasKeys((key, name) => key.slice(0, -name.length) + end(name)),
    hasOwnKeys,
  ),
])
