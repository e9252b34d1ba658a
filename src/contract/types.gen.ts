// Generated from openapi.yaml by 'npm run generate'; do not edit.
export interface paths {
    "/api/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workflow
         * @description Defines the steps, the approvers of each step and its estimated duration.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of a created workflow.
                 * @example wf_2c8v5n1k7d4x9m3q
                 */
                workflow_id: components["parameters"]["workflow_id"];
            };
            cookie?: never;
        };
        /**
         * Read a workflow's details and analytics
         * @description Returns analytics of all executions so far, and lists the latest ones.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/{workflow_id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of a created workflow.
                 * @example wf_2c8v5n1k7d4x9m3q
                 */
                workflow_id: components["parameters"]["workflow_id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a workflow for a document
         * @description Starts an execution. Smart routing chooses an approver for each step when the step is reached.
         */
        post: operations["executeWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/upload/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a presigned upload URL
         * @description The path ends with a slash.
         */
        post: operations["requestUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/upload/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an upload
         * @description Idempotent; confirming again returns the same answer.
         */
        post: operations["confirmUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/tenants/{tenant_id}/uploads/{upload_id}/{file_name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tenant's identifier.
                 * @example 4be1c0d29a77583f0d62c1ab90e7f4d3
                 */
                tenant_id: string;
                /**
                 * @description The upload's identifier.
                 * @example p3k9x2v7m4q8w1zt
                 */
                upload_id: string;
                /**
                 * @description The file's name.
                 * @example contract.pdf
                 */
                file_name: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the file to storage
         * @description The URL is `upload_url`, unchanged. It is signed for this method, key, media type, length and time.
         */
        put: operations["putObject"];
        post?: never;
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
        /** @description A workflow to create. */
        WorkflowRequest: {
            /**
             * @description The workflow's name, at most 100 characters (Unicode code points).
             * @example Supplier contract
             */
            name: string;
            /**
             * @description Free text describing the workflow.
             * @default
             * @example Legal reads first, then finance.
             */
            description?: string;
            /**
             * @description Whether the steps execute in order.
             * @default true
             */
            isSequential?: boolean;
            /** @description The approval steps. */
            steps: components["schemas"]["Step"][];
        };
        /** @description An approval step. */
        Step: {
            /**
             * @description Identifies the step within its workflow; chosen by the client.
             * @example legal
             */
            step_id: string;
            /**
             * @description The step's name for display.
             * @example Legal review
             */
            name: string;
            /**
             * @description The position in execution order, starting at 1.
             * @example 1
             */
            order: number;
            /**
             * @description The kind of step.
             * @enum {string}
             */
            type: "approval";
            /** @description The people who approve the step; one of them is chosen for each execution. */
            approvers: components["schemas"]["Approver"][];
            /**
             * @description The estimated duration of the step, in minutes.
             * @example 120
             */
            estimated_duration: number;
        };
        /** @description A person who approves. */
        Approver: {
            /**
             * Format: email
             * @description The approver's e-mail address.
             * @example lena@example.com
             */
            email: string;
            /**
             * @description The approver's name for display.
             * @example Lena Ortiz
             */
            name: string;
        };
        /** @description The document to execute a workflow for, and how. */
        ExecutionRequest: {
            /**
             * @description The document's identifier, from the confirmation of its upload.
             * @example doc_9f2k4c7m1x8q3z5b
             */
            document_id: string;
            /**
             * Format: email
             * @description The submitter's e-mail address.
             * @example sam@example.com
             */
            submitter_email: string;
            /**
             * @description How the workflow is executed.
             * @default standard
             * @enum {string}
             */
            execution_mode?: "standard";
            /**
             * @description The priority.
             * @default normal
             * @enum {string}
             */
            priority?: "low" | "normal" | "high";
        };
        /** @description The file that will be uploaded. */
        UploadRequest: {
            /**
             * @description The file's name.
             * @example contract.pdf
             */
            file_name: string;
            /**
             * @description The file's media type; the PUT carries the same as `Content-Type`.
             * @example application/pdf
             */
            content_type: string;
            /**
             * @description The file's size in bytes.
             * @example 48213
             */
            file_size: number;
        };
        /** @description The upload to confirm. */
        ConfirmationRequest: {
            /**
             * Format: uuid
             * @description The session identifier from the answer to the upload request.
             * @example 3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11
             */
            session_id: string;
            /** @description The uploaded files. An upload session has one file. */
            completed_files: components["schemas"]["CompletedFile"][];
        };
        /** @description An uploaded file. */
        CompletedFile: {
            /**
             * @description The object's storage key. It begins with `tenants/` and ends with the file name.
             * @example tenants/4be1c0d29a77583f0d62c1ab90e7f4d3/uploads/p3k9x2v7m4q8w1zt/contract.pdf
             */
            key: string;
            /**
             * @description The file's name, as in the upload request.
             * @example contract.pdf
             */
            file_name: string;
        };
        /** @description A created workflow. */
        Workflow: {
            /** @description Identifies the workflow. */
            workflow_id: string;
            /** @description The workflow's name. */
            name: string;
            /** @description Free text; empty if none was sent. */
            description: string;
            /** @description Whether the steps execute in order. */
            isSequential: boolean;
            /** @description The steps, as they were sent. */
            steps: components["schemas"]["Step"][];
            /**
             * @description The workflow's state.
             * @enum {string}
             */
            status: "active";
            /**
             * Format: date-time
             * @description The time of creation.
             */
            created_at: string;
        };
        /** @description A workflow's execution for one document. */
        Execution: {
            /** @description Identifies the execution. */
            execution_id: string;
            /** @description The workflow being executed. */
            workflow_id: string;
            /** @description The document to approve. */
            document_id: string;
            /** @description The submitter's e-mail address. */
            submitter_email: string;
            /**
             * @description How the workflow is executed.
             * @enum {string}
             */
            execution_mode: "standard";
            /**
             * @description The priority.
             * @enum {string}
             */
            priority: "low" | "normal" | "high";
            /**
             * @description The execution's state.
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
             * @description The time of the approval or rejection.
             */
            completed_at: string | null;
            /** @description The steps in execution order. */
            steps: components["schemas"]["ExecutionStep"][];
        };
        /** @description The state of a step in an execution. */
        ExecutionStep: {
            /** @description The step. */
            step_id: string;
            /** @description The step's name. */
            name: string;
            /** @description The step's position. */
            order: number;
            /**
             * @description The step's state.
             * @enum {string}
             */
            status: "waiting" | "assigned" | "approved" | "rejected" | "skipped";
            /** @description The approver who has to decide the step, or has decided it. */
            assignee: components["schemas"]["Approver"] | null;
            /**
             * Format: date-time
             * @description The time of the assignment.
             */
            assigned_at: string | null;
            /**
             * Format: date-time
             * @description The time of the decision.
             */
            decided_at: string | null;
            /** @description Why this approver was chosen. */
            routing: components["schemas"]["Routing"] | null;
        };
        /** @description The explanation of a routing decision. */
        Routing: {
            /** @description The reason for the choice. */
            reason: string;
            /** @description The assignee and the approvers expected to decide soonest, in the step's order. */
            candidates: {
                /** @description The approver. */
                email: string;
                /** @description The expected time from now to the decision. */
                expected_minutes: number;
                /** @description The number of decisions that the expectation is based on. */
                samples: number;
                /** @description The number of the approver's open assignments. */
                open_assignments: number;
                /** @description The reasons for or against the candidate. */
                reason: string;
            }[];
        };
        /** @description A workflow with its analytics. */
        WorkflowDetails: components["schemas"]["Workflow"] & {
            execution_metrics: components["schemas"]["ExecutionMetrics"];
            /** @description One entry for each step. */
            step_performance: components["schemas"]["StepPerformance"][];
            /** @description Changes that would shorten the mean completion time, the strongest first. The figures behind them may lack up to a sixteenth of all decisions. */
            optimization_recommendations: components["schemas"]["Recommendation"][];
            /** @description Steps that delay executions, the worst first. */
            bottlenecks: components["schemas"]["Bottleneck"][];
            /** @description The latest executions, the newest first. */
            recent_executions: components["schemas"]["Execution"][];
        };
        /** @description Counts and times of the workflow's executions. */
        ExecutionMetrics: {
            /** @description All executions; the sum of running, approved and rejected. */
            total: number;
            /** @description Executions that have not ended. */
            running: number;
            /** @description Executions that ended approved. */
            approved: number;
            /** @description Executions that ended rejected. */
            rejected: number;
            /** @description The share of ended executions that were approved, from 0 to 1; null before one has ended. */
            success_rate: number | null;
            /** @description The time from start to end of ended executions; null before one has ended. */
            completion_time: components["schemas"]["Durations"] | null;
        };
        /** @description A distribution of durations. Quantiles of up to 50 durations are exact, others within 1 % of the true value. */
        Durations: {
            /** @description The mean. */
            mean_minutes: number;
            /** @description The median. */
            p50_minutes: number;
            /** @description The 90th percentile. */
            p90_minutes: number;
            /** @description The 99th percentile. */
            p99_minutes: number;
        };
        /** @description The performance of a step of the workflow. */
        StepPerformance: {
            /** @description The step. */
            step_id: string;
            /** @description The number of open assignments. */
            assigned: number;
            /** @description The number of approvals. */
            approved: number;
            /** @description The number of rejections. */
            rejected: number;
            /** @description The share of decisions that approve, from 0 to 1; null before a decision. */
            approval_rate: number | null;
            /** @description The time from the assignment to the start of work; null before a decision. */
            waiting_time: components["schemas"]["Durations"] | null;
            /** @description The time from the start of work to the decision; null before a decision. */
            working_time: components["schemas"]["Durations"] | null;
            /** @description The step's estimated duration. */
            estimated_minutes: number;
            /** @description The mean working time minus the estimate; null before a decision. */
            overrun_minutes: number | null;
            /** @description The step's share of the total time of ended executions, from 0 to 1; null while that is zero. */
            critical_path_share: number | null;
        };
        /** @description A step that delays executions. */
        Bottleneck: {
            /** @description The step. */
            step_id: string;
            /** @description Its share of the total time of ended executions, from 0 to 1. */
            critical_path_share: number;
            /** @description The mean time from assignment to decision over the estimate. */
            estimate_ratio: number;
            /**
             * @description The part of its time that causes the delay.
             * @enum {string}
             */
            cause: "waiting" | "working";
            /** @description A summary for people. */
            message: string;
        };
        /** @description A change to the workflow, and its predicted effect. */
        Recommendation: {
            /**
             * @description The kind of change.
             * @enum {string}
             */
            type: "add-approver" | "re-estimate-step" | "run-steps-in-parallel" | "remove-approver" | "split-step";
            /** @description The step to change. */
            step_id: string;
            /** @description The approver to remove; null for every other kind. */
            approver_email: string | null;
            /** @description A summary for people. */
            message: string;
            /** @description The predicted change of the mean completion time; negative is faster. */
            predicted_change_minutes: number;
        };
        /** @description A requested upload. */
        Upload: {
            /**
             * Format: uri
             * @description The URL to put the file at; use it unchanged.
             */
            upload_url: string;
            /**
             * Format: uuid
             * @description Identifies this upload in the confirm call.
             */
            session_id: string;
            /** @description The storage key to confirm. */
            key: string;
            /**
             * @description The method to use on `upload_url`.
             * @enum {string}
             */
            method: "PUT";
            /** @description The headers to send to `upload_url`, without an API key. */
            headers: {
                /** @description The `content_type` of the request. */
                "Content-Type": string;
            };
            /**
             * Format: date-time
             * @description The time at which `upload_url` expires.
             */
            expires_at: string;
        };
        /** @description A confirmed upload. */
        Document: {
            /** @description Identifies the document in an execution request. */
            document_id: string;
            /**
             * Format: uuid
             * @description The upload session.
             */
            session_id: string;
            /** @description The object's storage key. */
            key: string;
            /** @description The file's name. */
            file_name: string;
            /** @description The file's media type. */
            content_type: string;
            /** @description The file's size in bytes. */
            file_size: number;
            /** @description The file's CRC-32 in hexadecimal. Absent if an S3 store has the file, or an earlier version of the mock stored it. */
            crc32?: string;
            /** @description The file's SHA-256 in hexadecimal, if the PUT announced it in `x-amz-checksum-sha256` or `x-amz-content-sha256`. */
            sha256?: string;
            /**
             * Format: date-time
             * @description The time of the confirmation.
             */
            confirmed_at: string;
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description Identifies the kind of problem.
             */
            type: string;
            /** @description The reason phrase of the status. */
            title: string;
            /** @description The HTTP status code. */
            status: number;
            /**
             * @description The kind of problem, for programs.
             * @enum {string}
             */
            code: "invalid-json" | "invalid-request" | "unsupported-media-type" | "body-too-large" | "missing-key" | "key-with-scheme" | "misplaced-key" | "not-a-test-key" | "unknown-path" | "method-not-allowed" | "workflow-not-found" | "document-not-confirmed" | "session-not-found" | "object-not-stored" | "key-of-another-session" | "file-name-mismatch" | "file-too-large" | "invalid-preference" | "internal-error" | "memory-full" | "rate-limited";
            /** @description What is wrong and what to do, for people. */
            detail: string;
            /** @description The violations, at most 100 of them. */
            errors?: components["schemas"]["Violation"][];
        };
        /** @description A violation of the contract. */
        Violation: {
            /** @description JSON Pointer (RFC 6901) to the field in the request body. */
            pointer: string;
            /** @description The violated JSON Schema keyword. */
            rule: string;
            /** @description What the value must be, and what it is. */
            message: string;
        };
        /** @description An error of storage, in the format of S3. */
        StorageError: string;
    };
    responses: {
        /** @description The request is invalid; `errors` lists all violations. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is missing, not sent alone in `Authorization`, or not a test key. */
        Unauthorized: {
            headers: {
                /**
                 * @description The challenge that RFC 9110 section 11.6.1 requires.
                 * @example ApiKey realm="Countersign", header="Authorization"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no workflow with this identifier. */
        WorkflowNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant sends more calls than the mock's option for a rate limit allows. */
        TooManyRequests: {
            headers: {
                /**
                 * @description The seconds after which the call can be sent again (RFC 9110 section 10.2.3).
                 * @example 1
                 */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The memory limit is reached, so nothing can be created. Any call with a new key creates a world. */
        MemoryFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, or the announced file, is larger than the limit. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Content-Type` is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The identifier of a created workflow.
         * @example wf_2c8v5n1k7d4x9m3q
         */
        workflow_id: string;
    };
    requestBodies: {
        Workflow: {
            content: {
                "application/json": components["schemas"]["WorkflowRequest"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Workflow"];
        responses: {
            /** @description The workflow was created. */
            201: {
                headers: {
                    /**
                     * @description Path of the created workflow.
                     * @example /api/v1/workflows/wf_7h2k9d4x8q1m5z3c
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            507: components["responses"]["MemoryFull"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of a created workflow.
                 * @example wf_2c8v5n1k7d4x9m3q
                 */
                workflow_id: components["parameters"]["workflow_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow with its analytics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDetails"];
                };
            };
            /** @description The `Prefer` header names an answer that this contract does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkflowNotFound"];
            429: components["responses"]["TooManyRequests"];
            507: components["responses"]["MemoryFull"];
        };
    };
    executeWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of a created workflow.
                 * @example wf_2c8v5n1k7d4x9m3q
                 */
                workflow_id: components["parameters"]["workflow_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionRequest"];
            };
        };
        responses: {
            /** @description The execution has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkflowNotFound"];
            /** @description The document has not been confirmed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            507: components["responses"]["MemoryFull"];
        };
    };
    requestUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadRequest"];
            };
        };
        responses: {
            /** @description The URL to put the file at, and the session to confirm afterwards. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            507: components["responses"]["MemoryFull"];
        };
    };
    confirmUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmationRequest"];
            };
        };
        responses: {
            /** @description The document is confirmed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description No upload has this session identifier. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The object is not stored, or belongs to another session. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            507: components["responses"]["MemoryFull"];
        };
    };
    putObject: {
        parameters: {
            query: {
                /**
                 * @description The time at which the URL was signed.
                 * @example 20260301T090000Z
                 */
                "X-Amz-Date": string;
                /**
                 * @description The number of seconds for which the URL is valid.
                 * @example 900
                 */
                "X-Amz-Expires": number;
                /**
                 * @description The signature.
                 * @example 0f5c6e
                 */
                "X-Amz-Signature": string;
            };
            header?: {
                /**
                 * @description The MD5 digest of the file in base64. Verified if present.
                 * @example 1B2M2Y8AsgTpgAmY7PhCfg==
                 */
                "Content-MD5"?: string;
                /**
                 * @description `*` stores the file only if no file is stored yet.
                 * @example *
                 */
                "If-None-Match"?: string;
                /**
                 * @description Stores the file only if the stored file has this `ETag`.
                 * @example "4c7d0e8f"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The tenant's identifier.
                 * @example 4be1c0d29a77583f0d62c1ab90e7f4d3
                 */
                tenant_id: string;
                /**
                 * @description The upload's identifier.
                 * @example p3k9x2v7m4q8w1zt
                 */
                upload_id: string;
                /**
                 * @description The file's name.
                 * @example contract.pdf
                 */
                file_name: string;
            };
            cookie?: never;
        };
        /** @description The raw bytes of the file. `Content-Type` is the `content_type` of the upload request. */
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The object is stored. The body is empty. */
            200: {
                headers: {
                    /**
                     * @description A tag of the object's content, its CRC-32.
                     * @example "4c7d0e8f"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The request has an `Authorization` header, its body did not arrive completely, or a digest is malformed or does not
             *     match the body.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description The URL has expired or was changed, or does not match the request. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description `If-Match` was sent, but no file is stored. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description The body is sent in chunks, without `Content-Length`. */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description The stored file does not meet `If-None-Match` or `If-Match`. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description A header requests an operation that storage does not support, such as storing a part of a file. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
        };
    };
}
