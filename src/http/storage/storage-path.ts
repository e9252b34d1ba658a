import { decode } from '../../wire/router.ts'
import { canonicalAddress, encodeKey } from '../../world/presign.ts'

/** The prefix of storage paths; the storage key follows (gap.storage-address). */
export const storagePrefix = '/storage/'

/** Stands before the tenant of a key that shows its tenant by another name. */
const ofTenant = 'of'

/** Returns the path of a storage key. The tenant is in it, by its identifier. */
export function storagePathOf(key: string, tenantId: string): string {
  const showsTenant = key.startsWith(`tenants/${tenantId}/`)
  return storagePrefix + (showsTenant ? '' : `${ofTenant}/${tenantId}/`) + encodeKey(key)
}

/** Returns the tenant identifier and the key in a storage path. */
export function storagePlaceOf(path: string): { readonly tenantId: string; readonly key: string } {
  const place = decode(canonicalAddress(path).slice(storagePrefix.length, -1))
  const [first, tenantId = '', ...rest] = place.split('/')
  return { tenantId, key: first === ofTenant ? rest.join('/') : place }
}
