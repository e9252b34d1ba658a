// Generated from src/contract/admin.yaml by 'npm run generate'; do not edit.
export interface paths {
    "/__admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the mock is up
         * @description For scripts that wait until the mock is ready.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset
         * @description Resets state, clock and settings to the start. With a key, resets its world to what new worlds start with.
         */
        post: operations["resetWorlds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events
         * @description Events are never changed or deleted, so they explain how the current state came about.
         */
        get: operations["getJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest requests
         * @description Shows what a client really sent, and the answers.
         */
        get: operations["getRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenants
         * @description The latest used first. The name is the beginning of the identifier, which does not disclose the key. With a key or `tenant_id`, only its tenant.
         */
        get: operations["getTenants"];
        put?: never;
        /**
         * Open the world of a key
         * @description The key is sent in `Authorization`, as clients send it. Opens its world, unless it is open.
         */
        post: operations["openTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/tenants/branch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new tenant from an earlier state
         * @description Copies the events of a tenant up to an event, with those that followed from the same decision, and their objects into the
         *     world of another key. That world must have no events. Its clock continues from the time of the last event that was copied.
         */
        post: operations["branchTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/tenants/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a tenant as one file
         * @description All events and the contents of the objects that are kept in memory or in a folder, up to the limit of stored bytes. It has neither a key nor a signing secret.
         */
        get: operations["exportTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/tenants/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a tenant from a file
         * @description The key of the new tenant is sent in `Authorization`. Its world must have no events. Each event must follow from those
         *     before it by the rules of the service; otherwise nothing is imported, and the answer names the first that does not. The file
         *     may be as large as the memory limit permits. The clock continues from `exported_at`.
         */
        post: operations["importTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workflows of a tenant
         * @description The latest first. The documented API cannot list them.
         */
        get: operations["listWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/workflows/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workflow.
                 * @example wf_7h3w9p2r5t8y1k4m
                 */
                workflow_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a workflow with its analytics
         * @description The details as the contract writes them (`WorkflowDetails`), and the latest completion times.
         */
        get: operations["readWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the executions of a tenant
         * @description The latest first.
         */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/executions/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
            };
            cookie?: never;
        };
        /**
         * Read an execution with its times
         * @description An `Execution` of the service's contract, with the times that the contract does not show.
         */
        get: operations["readExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the uploads of a tenant
         * @description The latest first.
         */
        get: operations["listUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/uploads/{session_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The upload session.
                 * @example ups_7h3w9p2r5t8y1k4m
                 */
                session_id: string;
            };
            cookie?: never;
        };
        /**
         * Download an object
         * @description Is sent as an attachment that no browser executes or displays by itself.
         */
        get: operations["readObject"];
        /**
         * Upload the file of a session
         * @description Sends the file to the signed URL of the session, in the same way as a client, and returns what the client would see. The body has
         *     the bytes.
         */
        put: operations["writeObject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a call of the service as a tenant
         * @description Sends the call in the same way as a client with the tenant's key, and returns what the client would see. `writeObject` uploads a
         *     file.
         */
        post: operations["sendCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request in the log.
                 * @example 17
                 */
                request_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a request with its bodies
         * @description Bodies are kept only while a stream is open (`streamChanges`), at most 64 KiB of each and 16 MiB of all. Without keys and signatures.
         */
        get: operations["readRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the mock live
         * @description Server-sent events, at most 20 a second, that something has changed: `changed`, with the data `{}`. Read `/__admin/changes` then,
         *     also after the first one. A comment every 15 seconds keeps the connection open.
         */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has changed
         * @description The state, and what has happened after an event and a request: `last_event` and `last_request` of the reading before. The first
         *     reading names neither, and gets no event and the latest requests. Events and requests that are no longer kept are counted in
         *     `lost`. Read again while the last event is not `last_event`.
         */
        get: operations["readChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the recorded session
         * @description HAR 1.2, at most 10,000 calls and 32 MiB, without keys and signatures. `countersign replay` sends it to any deployment. Of bodies
         *     over 256 KiB it has size and digest. With a tenant, it has the calls of that tenant alone.
         */
        get: operations["readRecording"];
        put?: never;
        /**
         * Start a recording
         * @description Records all calls from now on. Calls that were recorded before are dropped.
         */
        post: operations["startRecording"];
        /**
         * Stop the recording
         * @description The calls so far can still be downloaded.
         */
        delete: operations["stopRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenarios
         * @description Lists the named starting points.
         */
        get: operations["getScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/scenarios/{scenario}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The scenario's name.
                 * @example busy-quarter
                 */
                scenario: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load a scenario
         * @description Replaces the whole state. Clock and settings stay as they are.
         */
        post: operations["loadScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         * @description Each world has its own clock. Without a key, reads the clock that new worlds start with.
         */
        get: operations["getClock"];
        /**
         * Change the clock's speed
         * @description The current time stays the same.
         */
        put: operations["setClock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the clock forward
         * @description Everything due by then happens, in order, before the answer.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description Without a key, reads the settings that new worlds start with.
         */
        get: operations["getSettings"];
        /**
         * Change the settings
         * @description Settings left out return to those the mock was started with.
         */
        put: operations["setSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/next-answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the answers that wait for their calls
         * @description The oldest first. With a key: those for its calls alone.
         */
        get: operations["getNextAnswers"];
        put?: never;
        /**
         * Replace the answer to the next call of an operation
         * @description The next matching call with a valid key gets this answer and is not carried out: the key's calls, or without a key those of
         *     any tenant. An answer that has been given is gone, and so are all when the mock is reset.
         */
        post: operations["addNextAnswer"];
        /**
         * Remove the answers that wait for their calls
         * @description With a key: those for its calls alone.
         */
        delete: operations["clearNextAnswers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/__admin/executions/{execution_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a step as its assignee
         * @description Has the same effect as an immediate decision of a simulated approver.
         */
        post: operations["decideStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The mock's settings. */
        Settings: {
            /**
             * @description Simulated approvers decide in simulated time (auto) or at once (instant), or only the admin API does (manual).
             * @enum {string}
             */
            approvers?: "auto" | "instant" | "manual";
            /** @description The delay of every answer to a call with a key, in real milliseconds. */
            latency?: {
                /** @description The shortest delay. */
                min_ms: number;
                /** @description The longest delay; not below min_ms. */
                max_ms: number;
                /** @description The median, above 0. Needs p99_ms; delays then have a log-normal distribution, cut off at min_ms and max_ms. Without both, every delay of the range is equally likely. */
                p50_ms?: number;
                /** @description The delay that 99 of 100 answers do not exceed; from p50_ms to max_ms. */
                p99_ms?: number;
            };
            /** @description Faults that hit calls at random; the first fault drawn counts. */
            faults?: {
                /** @description The share of calls that fail. */
                probability: number;
                /** @description The status of the answer. */
                status: number;
                /**
                 * @description The call that fails; all calls if left out.
                 * @example putObject
                 */
                operation_id?: string;
            }[];
            /** @description The calls of the service that a tenant may send in a second; beyond it, they answer 429. 0 for any number. */
            rate_limit?: number;
        };
        /** @description An error (RFC 9457). */
        AdminProblem: {
            /**
             * Format: uri
             * @description Identifies the kind of problem.
             */
            type: string;
            /** @description The reason phrase of the status. */
            title: string;
            /** @description The HTTP status code. */
            status: number;
            /** @description The kind of problem, for programs. */
            code: string;
            /** @description What is wrong and what to do, for people. */
            detail: string;
            /** @description The violations. */
            errors?: {
                /** @description JSON Pointer (RFC 6901) to the field. */
                pointer: string;
                /** @description The violated JSON Schema keyword. */
                rule: string;
                /** @description What the value must be, and what it is. */
                message: string;
            }[];
        };
        /** @description A tenant and the size of its world. */
        Tenant: {
            /** @description The tenant. */
            tenant_id: string;
            /** @description The first six digits of the identifier and, once the key was used, its end: at most six characters and half of it. */
            name: string;
            /** @description The number of workflows. */
            workflows: number;
            /** @description The number of executions that are kept. */
            executions: number;
            /** @description The number of running executions. */
            running: number;
            /** @description The number of upload sessions. */
            uploads: number;
            /** @description The oldest event that is kept; time travel begins there. It is 1 unless events were dropped. */
            first_event: number;
            /** @description The latest event; 0 if there is none. */
            last_event: number;
            /**
             * Format: date-time
             * @description The time of the latest event.
             */
            last_event_at: string | null;
            /**
             * Format: date-time
             * @description The time of the tenant's clock.
             */
            now: string;
            /** @description The speed of the tenant's clock. */
            speed: number;
        };
        /** @description An event. Which members it has depends on its type. What the client has sent is there with it, as the service's contract has it. */
        JournalEntry: {
            /** @description The position in its tenant's journal, from 1. */
            seq: number;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            at: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "WorkflowCreated" | "ExecutionStarted" | "StepAssigned" | "StepDecided" | "AssignmentWithdrawn" | "ExecutionCompleted" | "UploadRequested" | "ObjectStored" | "UploadConfirmed";
            /** @description The tenant. */
            tenant_id: string;
            /** @description The workflow. */
            workflow_id?: string;
            /** @description The execution. */
            execution_id?: string;
            /** @description The steps of an execution. Each stage begins when the one before it has ended; the steps of a stage run together. */
            stages?: {
                [key: string]: unknown;
            }[][];
            /** @description The step. */
            step_id?: string;
            /** @description The chosen approver. */
            assignee?: {
                [key: string]: unknown;
            };
            /** @description The reasons for the choice. */
            routing?: {
                [key: string]: unknown;
            };
            /** @description The approver who has decided or is no longer asked. */
            approver_email?: string;
            /**
             * @description The decision about a step.
             * @enum {string}
             */
            decision?: "approved" | "rejected";
            /**
             * Format: date-time
             * @description The time at which the approver began to work on it.
             */
            taken_up_at?: string;
            /**
             * @description How an execution ended.
             * @enum {string}
             */
            status?: "approved" | "rejected";
            /** @description The upload session. */
            session_id?: string;
            /** @description The storage key. */
            key?: string;
            /** @description The CRC-32 of the stored file in hexadecimal. */
            crc32?: string;
            /** @description Its SHA-256. */
            sha256?: string;
            /** @description The document. */
            document_id?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A workflow in a list. */
        WorkflowSummary: {
            /** @description The workflow. */
            workflow_id: string;
            /** @description The name. */
            name: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string;
            /** @description Whether its steps run one after the other. */
            is_sequential: boolean;
            /** @description The number of steps. */
            steps: number;
            /** @description The number of all executions. */
            executions: number;
            /** @description The number of running executions. */
            running: number;
            /** @description The number of approved executions. */
            approved: number;
            /** @description The number of rejected executions. */
            rejected: number;
        };
        /** @description An execution in a list. */
        ExecutionSummary: {
            /** @description The execution. */
            execution_id: string;
            /** @description The workflow. */
            workflow_id: string;
            /** @description The workflow's name. */
            workflow_name: string;
            /** @description The document. */
            document_id: string;
            /** @description The submitter's e-mail address. */
            submitter_email: string;
            /**
             * @description The priority.
             * @enum {string}
             */
            priority: "low" | "normal" | "high";
            /**
             * @description The state.
             * @enum {string}
             */
            status: "running" | "approved" | "rejected";
            /**
             * Format: date-time
             * @description The start time.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description The end time.
             */
            completed_at: string | null;
            /** @description The number of decided or skipped steps. */
            steps_decided: number;
            /** @description The number of steps. */
            steps_total: number;
            /** @description The e-mail addresses of the approvers who have to decide now. */
            waiting_for: string[];
        };
        /** @description An upload session. */
        UploadSummary: {
            /** @description The session. */
            session_id: string;
            /** @description The storage key. */
            key: string;
            /** @description The name of the file. */
            file_name: string;
            /** @description The type of the file. */
            content_type: string;
            /** @description The size of the file in bytes. */
            file_size: number;
            /**
             * @description The state.
             * @enum {string}
             */
            state: "requested" | "stored" | "confirmed" | "expired";
            /**
             * Format: date-time
             * @description The time of the request.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description The time at which the URL expires.
             */
            expires_at: string;
            /** @description The CRC-32 of the stored file in hexadecimal; null before that. */
            crc32: string | null;
            /** @description Its SHA-256; null unless the PUT announced one. */
            sha256: string | null;
            /** @description The document; null before the confirmation. */
            document_id: string | null;
            /** @description Whether the content can be downloaded. */
            is_kept: boolean;
            /** @description The next call that the upload needs, in words; null if it is complete. */
            missing: string | null;
        };
        /** @description A tenant as one file. */
        TenantFile: {
            /**
             * @description The kind of file.
             * @enum {string}
             */
            format: "countersign-tenant";
            /**
             * @description The version of the format.
             * @enum {integer}
             */
            version: 1;
            /** @description The time of the tenant's clock (RFC 3339). */
            exported_at: string;
            /** @description All events, the oldest first, as the journal keeps them. */
            events: {
                [key: string]: unknown;
            }[];
            /** @description The contents of objects in base64, by their SHA-256. */
            objects: {
                [key: string]: string;
            };
        };
        /** @description A request, without its key and signature. */
        LoggedRequest: {
            /** @description The number of the request since the start of the mock. */
            request_id: string;
            /**
             * Format: date-time
             * @description The real time of the request.
             */
            at: string;
            /** @description The tenant; null if the key was refused. */
            tenant_id: string | null;
            /** @description The documented call; null if there is none at this path. */
            operation_id: string | null;
            /** @description The method. */
            method: string;
            /** @description The path, without the query. */
            path: string;
            /** @description The status of the answer; 0 if the connection was broken on purpose. */
            status: number;
            /** @description The time until the answer, in milliseconds. */
            duration_ms: number;
            /** @description The code of the problem, if the request was refused. */
            code: string | null;
            /** @description The reason, if the request was refused. */
            detail: string | null;
        };
        /** @description A request and its answer with headers and bodies. */
        RequestDetails: {
            request: components["schemas"]["LoggedRequest"];
            /** @description The headers; the key is replaced. */
            request_headers: {
                [key: string]: string;
            };
            request_body: components["schemas"]["KeptBody"];
            /** @description The headers of the answer. */
            answer_headers: {
                [key: string]: string;
            };
            answer_body: components["schemas"]["KeptBody"];
            /** @description With a profile: the answer's body as the contract writes it. Otherwise null. */
            contract_body: unknown;
            /** @description The documented requirements of the operation that the request touched. */
            requirements: string[];
            /** @description The open questions of the operation that the request touched. */
            gaps: string[];
        };
        /** @description The answer that a client would get. */
        SentCallAnswer: {
            /** @description The status; 0 if the connection would be broken on purpose. */
            status: number;
            /** @description The headers. */
            headers: {
                [key: string]: string;
            };
            /** @description The JSON body, or a text; null if there is none. */
            body: unknown;
            /** @description With a profile: the body as the contract writes it. Otherwise null. */
            contract_body: unknown;
        };
        /** @description The retained part of a body; null if there was none or it was not kept. */
        KeptBody: {
            /** @description The body as text; for binary data, a description. */
            text: string;
            /** @description The size of the whole body in bytes. */
            size: number;
            /** @description Whether the text is only the beginning. */
            is_cut: boolean;
        } | null;
        /** @description The state, and what has happened since the reading before. */
        Changes: {
            /** @description New events of the tenant, as in the journal. Without a tenant, there are none. */
            events: {
                [key: string]: unknown;
            }[];
            /** @description New requests, as in the log. */
            requests: components["schemas"]["LoggedRequest"][];
            /** @description The number of events, and at most the number of requests, that were left out since the reading before. */
            lost: number;
            /** @description The position of the latest event of the tenant; without a tenant, the number of all events. */
            last_event: number;
            /** @description The number of the latest request of any tenant. */
            last_request: number;
            /** @description Another one if the state of the tenant was replaced, by a reset or a scenario. Read everything again then, and events from 0. */
            generation: string;
            /** @description The number of tenants. */
            tenants: number;
            /** @description The clock of the tenant, or that of new worlds. */
            clock: {
                /**
                 * Format: date-time
                 * @description The time.
                 */
                now: string;
                /** @description A multiple of real time; 0 means stopped. */
                speed: number;
            };
            settings: components["schemas"]["Settings"];
            /** @description The number of answers that wait for their calls. */
            next_answers: number;
            /** @description The scenario that new worlds start with. */
            scenario: string;
            /** @description The mock's version. */
            version: string;
        };
    };
    responses: {
        /** @description The clock. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The world's time.
                     */
                    now: string;
                    /** @description A multiple of real time; 0 means stopped. */
                    speed: number;
                };
            };
        };
        /** @description The answers that wait for their calls. */
        NextAnswers: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The oldest first. */
                    next_answers: {
                        /** @description The operation. */
                        operation_id: string;
                        /** @description The tenant; null if the calls of any tenant match. */
                        tenant_id: string | null;
                        /** @description The status; null if the call is carried out. */
                        status: number | null;
                        /** @description The body; null if it is the default. */
                        body: unknown;
                        /** @description Further headers. */
                        headers: {
                            [key: string]: string;
                        };
                        /** @description Real milliseconds before the answer. */
                        delay_ms: number;
                        /**
                         * @description Whether an answer is sent.
                         * @enum {string}
                         */
                        connection: "kept" | "broken";
                        /** @description The number of calls that still get it. */
                        times: number;
                    }[];
                };
            };
        };
        /** @description The settings. */
        Settings: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Settings"];
            };
        };
        /** @description The request is invalid. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The caller may not use the admin API. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The key is not a test key. */
        WrongKey: {
            headers: {
                /** @description The challenge that RFC 9110 section 11.6.1 requires. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The `Content-Type` is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The world of the key has events already. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The mock's memory limit is reached. */
        MemoryFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The name or identifier is unknown; the answer says which are known. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
    };
    parameters: {
        /** @description Selects the world of a tenant, in place of its key. */
        tenantId: string;
        /** @description The tenant. */
        requiredTenantId: string;
        /** @description With a tenant: also the requests that belong to none, such as those with a wrong key or at an unknown path. */
        also: "unassigned";
        /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
        asOf: number;
        /** @description Continues a list: the value of `next` in the answer before. */
        before: string;
        /** @description The most entries to return. */
        limit: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mock is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always ok.
                         * @enum {string}
                         */
                        status: "ok";
                        /** @description The mock's version. */
                        version: string;
                        /** @description The number of keys that have a world. */
                        worlds: number;
                    };
                };
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    resetWorlds: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getJournal: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
                /** @description Only events before this position, to continue with older ones; for one tenant. */
                before?: number;
                /**
                 * @description Only events of this type: WorkflowCreated finds the workflows of a scenario.
                 * @example WorkflowCreated
                 */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest events, the oldest first; fewer than the limit if they would exceed 16 MiB. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The events. */
                        events: components["schemas"]["JournalEntry"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getRequests: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
                /** @description With a tenant: also the requests that belong to none, such as those with a wrong key or at an unknown path. */
                also?: components["parameters"]["also"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest requests to the service and to storage, the oldest first; at most 1,000 are kept. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Requests without their keys and signatures. */
                        requests: components["schemas"]["LoggedRequest"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getTenants: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of all tenants. */
                        total: number;
                        /** @description At most `limit` tenants. */
                        tenants: components["schemas"]["Tenant"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    openTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            507: components["responses"]["MemoryFull"];
        };
    };
    branchTenant: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The last event that is copied. */
                    as_of: number;
                    /** @description A test key, such as test_branch_1. */
                    key: string;
                };
            };
        };
        responses: {
            /** @description The new tenant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            507: components["responses"]["MemoryFull"];
        };
    };
    exportTenant: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantFile"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    importTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantFile"];
            };
        };
        responses: {
            /** @description The tenant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            507: components["responses"]["MemoryFull"];
        };
    };
    listWorkflows: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
                /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
                as_of?: components["parameters"]["asOf"];
                /** @description Continues a list: the value of `next` in the answer before. */
                before?: components["parameters"]["before"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of all workflows of the tenant. */
                        total: number;
                        /** @description Send it as `before` for older ones; null if there are none. */
                        next: string | null;
                        /** @description At most `limit` workflows. */
                        workflows: components["schemas"]["WorkflowSummary"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    readWorkflow: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
                /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
                as_of?: components["parameters"]["asOf"];
            };
            header?: never;
            path: {
                /**
                 * @description The workflow.
                 * @example wf_7h3w9p2r5t8y1k4m
                 */
                workflow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A `WorkflowDetails` of the service's contract. */
                        details: {
                            [key: string]: unknown;
                        };
                        /** @description The completion times of the latest ended executions that are kept, at most 2,000, the oldest first. */
                        completion_minutes: number[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    listExecutions: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
                /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
                as_of?: components["parameters"]["asOf"];
                /** @description Only executions of this workflow. */
                workflow_id?: string;
                /** @description Only executions in this state. */
                status?: "running" | "approved" | "rejected";
                /** @description Continues a list: the value of `next` in the answer before. */
                before?: components["parameters"]["before"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The executions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of all executions that match. */
                        total: number;
                        /** @description Send it as `before` for older ones; null if there are none. */
                        next: string | null;
                        /** @description At most `limit` executions. */
                        executions: components["schemas"]["ExecutionSummary"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    readExecution: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
                /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
                as_of?: components["parameters"]["asOf"];
            };
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description An `Execution` of the service's contract. */
                        execution: {
                            [key: string]: unknown;
                        };
                        /** @description One entry for each step, in the same order. */
                        times: {
                            /** @description The step. */
                            step_id: string;
                            /** @description The stage, from 0; the steps of a stage run together. */
                            stage: number;
                            /**
                             * Format: date-time
                             * @description The time at which the approver began to work on it; null before that.
                             */
                            taken_up_at: string | null;
                            /**
                             * Format: date-time
                             * @description The time at which the simulated approver will decide; null if no time is planned.
                             */
                            due_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    listUploads: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
                /** @description Shows the world as it was after this event of its journal (time travel), if none of its events were dropped. Without it, as it is. */
                as_of?: components["parameters"]["asOf"];
                /** @description Continues a list: the value of `next` in the answer before. */
                before?: components["parameters"]["before"];
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploads. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of all uploads. */
                        total: number;
                        /** @description Send it as `before` for older ones; null if there are none. */
                        next: string | null;
                        /** @description At most `limit` uploads. */
                        uploads: components["schemas"]["UploadSummary"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    readObject: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
            };
            header?: never;
            path: {
                /**
                 * @description The upload session.
                 * @example ups_7h3w9p2r5t8y1k4m
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    writeObject: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
            };
            header?: never;
            path: {
                /**
                 * @description The upload session.
                 * @example ups_7h3w9p2r5t8y1k4m
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The answer that the client would get. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentCallAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    sendCall: {
        parameters: {
            query: {
                /** @description The tenant. */
                tenant_id: components["parameters"]["requiredTenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The operation.
                     * @enum {string}
                     */
                    operation_id: "createWorkflow" | "getWorkflow" | "executeWorkflow" | "requestUpload" | "confirmUpload";
                    /** @description The parameters of the path. */
                    params?: {
                        [key: string]: string;
                    };
                    /** @description The JSON body. */
                    body?: unknown;
                };
            };
        };
        responses: {
            /** @description The answer that the client would get. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentCallAnswer"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    readRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request in the log.
                 * @example 17
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request and its answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    streamChanges: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
                /** @description With a tenant: also the requests that belong to none, such as those with a wrong key or at an unknown path. */
                also?: components["parameters"]["also"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    readChanges: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
                /** @description With a tenant: also the requests that belong to none, such as those with a wrong key or at an unknown path. */
                also?: components["parameters"]["also"];
                /** @description The `last_event` of the reading before, or the `seq` of the last event that was read. */
                after_event?: number;
                /** @description The `last_request` of the reading before. */
                after_request?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state, with new events and requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    readRecording: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session; without calls if nothing was recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The log of HAR 1.2. */
                        log: {
                            /** @description The version of the format. */
                            version: string;
                            /** @description The calls, in the order in which they were sent. */
                            entries: Record<string, never>[];
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    startRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Started. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    stopRecording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stopped. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    getScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All scenarios, and the one that new worlds start with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The scenario that new worlds start with. */
                        current: string;
                        /** @description All scenarios. */
                        scenarios: {
                            /** @description The name. */
                            name: string;
                            /** @description The content. */
                            description: string;
                        }[];
                    };
                };
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    loadScenario: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path: {
                /**
                 * @description The scenario's name.
                 * @example busy-quarter
                 */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Loaded. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getClock: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    setClock: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A multiple of real time; 0 stops the clock. */
                    speed: number;
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    advanceClock: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Advances to the next decision of a simulated approver, in one world. Does nothing if none is planned.
                     * @enum {string}
                     */
                    to?: "next-decision";
                    /**
                     * @description An ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT2H or P90D.
                     * @example PT2H
                     */
                    duration?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    getSettings: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Settings"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    setSettings: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Settings"];
            };
        };
        responses: {
            200: components["responses"]["Settings"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    getNextAnswers: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NextAnswers"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    addNextAnswer: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The operation.
                     * @example executeWorkflow
                     */
                    operation_id: string;
                    /** @description The status. Without it, the call is carried out as usual, after delay_ms. */
                    status?: number;
                    /** @description JSON, or a text that is sent as it is. From status 400 on it is an error by default. */
                    body?: unknown;
                    /** @description Further headers. */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @description Real milliseconds before the answer. */
                    delay_ms?: number;
                    /**
                     * @description broken ends the connection without an answer.
                     * @enum {string}
                     */
                    connection?: "kept" | "broken";
                    /**
                     * @description The number of calls.
                     * @default 1
                     */
                    times?: number;
                };
            };
        };
        responses: {
            201: components["responses"]["NextAnswers"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    clearNextAnswers: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    decideStep: {
        parameters: {
            query?: {
                /** @description Selects the world of a tenant, in place of its key. */
                tenant_id?: components["parameters"]["tenantId"];
            };
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The step. */
                    step_id: string;
                    /**
                     * @description The decision.
                     * @enum {string}
                     */
                    decision: "approved" | "rejected";
                    /**
                     * Format: email
                     * @description The assignee.
                     */
                    approver_email: string;
                };
            };
        };
        responses: {
            /** @description The step is decided, and the execution has advanced. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The execution. */
                        execution_id: string;
                        /**
                         * @description The state after the decision.
                         * @enum {string}
                         */
                        status: "running" | "approved" | "rejected";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            /** @description The step is not assigned, or assigned to another approver. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AdminProblem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
}
