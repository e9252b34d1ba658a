// Generated from openapi.yaml by 'npm run generate'; do not edit.
import type { Validator } from './validate.ts'

export declare const validators: Record<'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload', Validator>
