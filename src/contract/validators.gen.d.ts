// Generated from openapi.yaml by 'npm run generate'; do not edit.
import type { Validator } from './validate.ts'

export declare const createWorkflow: Validator
export declare const executeWorkflow: Validator
export declare const requestUpload: Validator
export declare const confirmUpload: Validator
