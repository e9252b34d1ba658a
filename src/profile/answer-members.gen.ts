// Generated from openapi.yaml by 'npm run generate'; do not edit.
import type { OperationId } from '../contract/operations.ts'

export const answerMembers: Readonly<Record<OperationId, readonly string[]>> = {
  "createWorkflow": ["workflow_id","name","description","isSequential","steps","status","created_at"],
  "getWorkflow": ["workflow_id","name","description","isSequential","steps","status","created_at","execution_metrics","step_performance","optimization_recommendations","bottlenecks","recent_executions"],
  "executeWorkflow": ["execution_id","workflow_id","document_id","submitter_email","execution_mode","priority","status","started_at","completed_at","steps"],
  "requestUpload": ["upload_url","session_id","key","method","headers","expires_at"],
  "confirmUpload": ["document_id","session_id","key","file_name","content_type","file_size","crc32","sha256","confirmed_at"],
  "putObject": [],
}
