// Generated from openapi.yaml by 'npm run generate'; do not edit.
export const operations = {
  createWorkflow: {"method":"POST","path":"/api/v1/workflows","needsKey":true,"jsonBody":true},
  getWorkflow: {"method":"GET","path":"/api/v1/workflows/{workflow_id}","needsKey":true,"jsonBody":false},
  executeWorkflow: {"method":"POST","path":"/api/v1/workflows/{workflow_id}/execute","needsKey":true,"jsonBody":true},
  requestUpload: {"method":"POST","path":"/api/v1/upload/","needsKey":true,"jsonBody":true},
  confirmUpload: {"method":"POST","path":"/api/v1/upload/confirm","needsKey":true,"jsonBody":true},
  putObject: {"method":"PUT","path":"/storage/tenants/{tenant_id}/uploads/{upload_id}/{file_name}","needsKey":false,"jsonBody":false},
} as const
