// Generated from openapi.yaml and src/contract/admin.yaml by 'npm run generate'; do not edit.
export const operations = {
  createWorkflow: {"method":"POST","path":"/api/v1/workflows","needsKey":true},
  getWorkflow: {"method":"GET","path":"/api/v1/workflows/{workflow_id}","needsKey":true},
  executeWorkflow: {"method":"POST","path":"/api/v1/workflows/{workflow_id}/execute","needsKey":true},
  requestUpload: {"method":"POST","path":"/api/v1/upload/","needsKey":true},
  confirmUpload: {"method":"POST","path":"/api/v1/upload/confirm","needsKey":true},
  putObject: {"method":"PUT","path":"/storage/tenants/{tenant_id}/uploads/{upload_id}/{file_name}","needsKey":false},
} as const

export const adminOperations = {
  getHealth: {"method":"GET","path":"/__admin/health","needsKey":true},
  resetWorlds: {"method":"POST","path":"/__admin/reset","needsKey":true},
  getJournal: {"method":"GET","path":"/__admin/journal","needsKey":true},
  getRequests: {"method":"GET","path":"/__admin/requests","needsKey":true},
  getScenarios: {"method":"GET","path":"/__admin/scenarios","needsKey":true},
  loadScenario: {"method":"POST","path":"/__admin/scenarios/{scenario}","needsKey":true},
  getClock: {"method":"GET","path":"/__admin/clock","needsKey":true},
  setClock: {"method":"PUT","path":"/__admin/clock","needsKey":true},
  advanceClock: {"method":"POST","path":"/__admin/clock/advance","needsKey":true},
  getSettings: {"method":"GET","path":"/__admin/settings","needsKey":true},
  setSettings: {"method":"PUT","path":"/__admin/settings","needsKey":true},
  getNextAnswers: {"method":"GET","path":"/__admin/next-answers","needsKey":true},
  addNextAnswer: {"method":"POST","path":"/__admin/next-answers","needsKey":true},
  clearNextAnswers: {"method":"DELETE","path":"/__admin/next-answers","needsKey":true},
  decideStep: {"method":"POST","path":"/__admin/executions/{execution_id}/steps/{step_id}/decision","needsKey":true},
} as const
