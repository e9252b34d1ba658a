// Generated from openapi.yaml and src/contract/admin.yaml by 'npm run generate'; do not edit.
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
