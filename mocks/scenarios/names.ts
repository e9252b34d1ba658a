/** The names of all scenarios. */
export const scenarioNames = [
  'empty',
  'first-day',
  'busy-quarter',
  'stuck-approval',
  'rejected',
  'slow-approver',
  'upload-expired',
] as const

export type ScenarioName = (typeof scenarioNames)[number]

/** Checks whether a scenario exists, without loading it. */
export function isScenarioName(name: string): name is ScenarioName {
  return (scenarioNames as readonly string[]).includes(name)
}
