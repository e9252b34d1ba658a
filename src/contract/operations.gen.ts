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
  resetWorlds: {"method":"POST","path":"/__admin/reset","needsKey":true,"tenantIs":"optional"},
  getJournal: {"method":"GET","path":"/__admin/journal","needsKey":true,"tenantIs":"optional"},
  getRequests: {"method":"GET","path":"/__admin/requests","needsKey":true,"tenantIs":"optional"},
  getTenants: {"method":"GET","path":"/__admin/tenants","needsKey":true,"tenantIs":"optional"},
  openTenant: {"method":"POST","path":"/__admin/tenants","needsKey":true},
  branchTenant: {"method":"POST","path":"/__admin/tenants/branch","needsKey":true,"tenantIs":"required"},
  exportTenant: {"method":"GET","path":"/__admin/tenants/export","needsKey":true,"tenantIs":"required"},
  importTenant: {"method":"POST","path":"/__admin/tenants/import","needsKey":true},
  listWorkflows: {"method":"GET","path":"/__admin/workflows","needsKey":true,"tenantIs":"required"},
  readWorkflow: {"method":"GET","path":"/__admin/workflows/{workflow_id}","needsKey":true,"tenantIs":"required"},
  listExecutions: {"method":"GET","path":"/__admin/executions","needsKey":true,"tenantIs":"required"},
  readExecution: {"method":"GET","path":"/__admin/executions/{execution_id}","needsKey":true,"tenantIs":"required"},
  listUploads: {"method":"GET","path":"/__admin/uploads","needsKey":true,"tenantIs":"required"},
  readObject: {"method":"GET","path":"/__admin/uploads/{session_id}/content","needsKey":true,"tenantIs":"required"},
  writeObject: {"method":"PUT","path":"/__admin/uploads/{session_id}/content","needsKey":true,"tenantIs":"required"},
  sendCall: {"method":"POST","path":"/__admin/calls","needsKey":true,"tenantIs":"required"},
  readRequest: {"method":"GET","path":"/__admin/requests/{request_id}","needsKey":true},
  streamChanges: {"method":"GET","path":"/__admin/stream","needsKey":true,"tenantIs":"optional"},
  readRecording: {"method":"GET","path":"/__admin/recording","needsKey":true,"tenantIs":"optional"},
  startRecording: {"method":"POST","path":"/__admin/recording","needsKey":true},
  stopRecording: {"method":"DELETE","path":"/__admin/recording","needsKey":true},
  getScenarios: {"method":"GET","path":"/__admin/scenarios","needsKey":true},
  loadScenario: {"method":"POST","path":"/__admin/scenarios/{scenario}","needsKey":true,"tenantIs":"optional"},
  getClock: {"method":"GET","path":"/__admin/clock","needsKey":true,"tenantIs":"optional"},
  setClock: {"method":"PUT","path":"/__admin/clock","needsKey":true,"tenantIs":"optional"},
  advanceClock: {"method":"POST","path":"/__admin/clock/advance","needsKey":true,"tenantIs":"optional"},
  getSettings: {"method":"GET","path":"/__admin/settings","needsKey":true,"tenantIs":"optional"},
  setSettings: {"method":"PUT","path":"/__admin/settings","needsKey":true,"tenantIs":"optional"},
  getNextAnswers: {"method":"GET","path":"/__admin/next-answers","needsKey":true,"tenantIs":"optional"},
  addNextAnswer: {"method":"POST","path":"/__admin/next-answers","needsKey":true,"tenantIs":"optional"},
  clearNextAnswers: {"method":"DELETE","path":"/__admin/next-answers","needsKey":true,"tenantIs":"optional"},
  decideStep: {"method":"POST","path":"/__admin/executions/{execution_id}/steps/{step_id}/decision","needsKey":true,"tenantIs":"optional"},
} as const

/** The calls whose JSON body is validated against the contract. */
export type BodyOperationId =
  | 'createWorkflow'
  | 'executeWorkflow'
  | 'requestUpload'
  | 'confirmUpload'
  | 'branchTenant'
  | 'sendCall'
  | 'setClock'
  | 'advanceClock'
  | 'setSettings'
  | 'addNextAnswer'
  | 'decideStep'
