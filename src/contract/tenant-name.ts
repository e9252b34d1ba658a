/** Returns the short name of a tenant: the beginning of its identifier, which does not disclose the key. */
export function tenantName(tenantId: string): string {
  return tenantId.slice(0, 6)
}
