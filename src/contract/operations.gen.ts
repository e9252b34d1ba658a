// Generated from openapi.yaml by 'npm run generate'; do not edit.
export const operations = {
  "createWorkflow": {"method":"POST","path":"/api/v1/workflows","needsKey":true},
  "getWorkflow": {"method":"GET","path":"/api/v1/workflows/{workflow_id}","needsKey":true},
  "executeWorkflow": {"method":"POST","path":"/api/v1/workflows/{workflow_id}/execute","needsKey":true},
  "requestUpload": {"method":"POST","path":"/api/v1/upload/","needsKey":true},
  "confirmUpload": {"method":"POST","path":"/api/v1/upload/confirm","needsKey":true},
  "putObject": {"method":"PUT","path":"/storage/tenants/{tenant_id}/uploads/{upload_id}/{file_name}","needsKey":false},
} as const
