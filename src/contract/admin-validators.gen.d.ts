// Generated from src/contract/admin.yaml by 'npm run generate'; do not edit.
import type { Validator } from './validate.ts'

export declare const validators: Record<'branchTenant' | 'sendCall' | 'setClock' | 'advanceClock' | 'setSettings' | 'addNextAnswer' | 'decideStep', Validator>
