/** Counts the completed executions of a journal, by tenant and workflow; and during replay, those still to come. */
export class Completions {
  readonly #counts = new Map<string, Map<string, number>>()

  /** Counts one more completion of a workflow. */
  add(tenant: string, workflowId: string): void {
    const counts = this.#counts.get(tenant) ?? new Map<string, number>()
    counts.set(workflowId, (counts.get(workflowId) ?? 0) + 1)
    this.#counts.set(tenant, counts)
  }

  /** Takes one completion off the count. Returns the number of the same workflow still to come; 0 if none was counted. */
  pass(tenant: string, workflowId: string): number {
    const counts = this.#counts.get(tenant)
    const rest = (counts?.get(workflowId) ?? 0) - 1
    if (rest > 0) counts?.set(workflowId, rest)
    else counts?.delete(workflowId)
    return Math.max(rest, 0)
  }

  /** Removes the counts of a tenant that was reset. */
  forget(tenant: string): void {
    this.#counts.delete(tenant)
  }
}
