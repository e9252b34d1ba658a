/** Counts the executions that are completed in a journal, by tenant and workflow, and then those in the rest of it. */
export class Completions {
  readonly #counts = new Map<string, Map<string, number>>()

  /** Counts one more. */
  add(tenant: string, workflowId: string): void {
    const counts = this.#counts.get(tenant) ?? new Map<string, number>()
    counts.set(workflowId, (counts.get(workflowId) ?? 0) + 1)
    this.#counts.set(tenant, counts)
  }

  /** Passes one of them; returns how many of the workflow follow, or 0 if it was not counted. */
  pass(tenant: string, workflowId: string): number {
    const counts = this.#counts.get(tenant)
    const rest = (counts?.get(workflowId) ?? 0) - 1
    if (rest > 0) counts?.set(workflowId, rest)
    else counts?.delete(workflowId)
    return Math.max(rest, 0)
  }

  /** The tenant was reset. */
  forget(tenant: string): void {
    this.#counts.delete(tenant)
  }
}
