import type { Profile } from './profile.ts'

/** Returns what the paths of all upload URLs of a profile begin with; undefined if the profile does not say how they look. */
export function uploadStart({ uploadUrl }: Pick<Profile, 'uploadUrl'>): string | undefined {
  const parts =
    uploadUrl !== null && typeof uploadUrl === 'object' && '$text' in uploadUrl ? uploadUrl.$text : undefined
  const first: unknown = Array.isArray(parts) ? parts[0] : uploadUrl
  if (typeof first !== 'string' || !first.startsWith('/')) return undefined
  const [path = '', query] = first.split('?')
  if (query !== undefined) return path
  const start = path.slice(0, path.lastIndexOf('/') + 1)
  // A key follows, and the mock's own keys all begin with this.
  return start === '/' ? '/tenants/' : start
}
