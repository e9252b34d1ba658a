/** The named starting points that there are. */
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

/** Whether there is a scenario of this name; asking loads none of them. */
export function isScenarioName(name: string): name is ScenarioName {
  return (scenarioNames as readonly string[]).includes(name)
}
