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
         * @description Defines the steps, who approves each, and how long each should take.
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
         * @description The analytics are of all executions up to now; the latest executions are listed.
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
         * @description Confirming again gives the same answer and has no second effect.
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
                 * @description The tenant.
                 * @example 4be1c0d29a77583f0d62c1ab90e7f4d3
                 */
                tenant_id: string;
                /**
                 * @description The upload.
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
         * @description The address is `upload_url`, as it was answered. It is signed for this method, key, media type, length and time.
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
             * @description Identifies the step in its workflow; chosen by the client.
             * @example legal
             */
            step_id: string;
            /**
             * @description The step's name for display.
             * @example Legal review
             */
            name: string;
            /**
             * @description Position in execution order, starting at 1.
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
             * @description Estimated duration of the step, in minutes.
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
        /** @description What to execute a workflow for. */
        ExecutionRequest: {
            /**
             * @description The document, as confirming its upload named it.
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
             * @description How urgent it is.
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
        /** @description Which upload has finished. */
        ConfirmationRequest: {
            /**
             * Format: uuid
             * @description The session identifier that the upload request was answered with.
             * @example 3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11
             */
            session_id: string;
            /** @description The files whose upload finished. An upload session holds one file. */
            completed_files: components["schemas"]["CompletedFile"][];
        };
        /** @description A file whose upload finished. */
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
            /** @description Free text; empty where none was given. */
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
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A workflow's execution for one document. */
        Execution: {
            /** @description Identifies the execution. */
            execution_id: string;
            /** @description The workflow that is executed. */
            workflow_id: string;
            /** @description The document that is to be approved. */
            document_id: string;
            /** @description Who submitted it. */
            submitter_email: string;
            /**
             * @description How it is executed.
             * @enum {string}
             */
            execution_mode: "standard";
            /**
             * @description How urgent it is.
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
             * @description When it started.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             */
            completed_at: string | null;
            /** @description The steps in execution order. */
            steps: components["schemas"]["ExecutionStep"][];
        };
        /** @description Where a step of an execution stands. */
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
            /** @description Who has it, or decided it. */
            assignee: components["schemas"]["Approver"] | null;
            /**
             * Format: date-time
             * @description When it reached the assignee.
             */
            assigned_at: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decided_at: string | null;
            /** @description Why this approver was chosen. */
            routing: components["schemas"]["Routing"] | null;
        };
        /** @description The explanation of a routing decision. */
        Routing: {
            /** @description The choice in one sentence. */
            reason: string;
            /** @description The assignee and those who were expected to decide soonest, in the step's order. */
            candidates: {
                /** @description The approver. */
                email: string;
                /** @description Expected time from now to the decision. */
                expected_minutes: number;
                /** @description Decisions of this approver that the expectation rests on. */
                samples: number;
                /** @description Assignments on the approver's desk now. */
                open_assignments: number;
                /** @description What speaks for or against the candidate. */
                reason: string;
            }[];
        };
        /** @description A workflow with its analytics. */
        WorkflowDetails: components["schemas"]["Workflow"] & {
            execution_metrics: components["schemas"]["ExecutionMetrics"];
            /** @description One entry for each step. */
            step_performance: components["schemas"]["StepPerformance"][];
            /** @description What would shorten the mean completion time, the strongest first; predicted from the figures of at most a sixteenth of all decisions ago. */
            optimization_recommendations: components["schemas"]["Recommendation"][];
            /** @description Steps that hold executions up, the worst first. */
            bottlenecks: components["schemas"]["Bottleneck"][];
            /** @description The latest executions, the newest first. */
            recent_executions: components["schemas"]["Execution"][];
        };
        /** @description Executions of the workflow, counted and timed. */
        ExecutionMetrics: {
            /** @description All executions; the sum of the next three. */
            total: number;
            /** @description Executions that have not ended. */
            running: number;
            /** @description Executions that ended approved. */
            approved: number;
            /** @description Executions that ended rejected. */
            rejected: number;
            /** @description Approved over ended executions, from 0 to 1; null before one has ended. */
            success_rate: number | null;
            /** @description From start to end of ended executions; null before one has ended. */
            completion_time: components["schemas"]["Durations"] | null;
        };
        /** @description A distribution of durations. Quantiles of up to 50 durations are exact, others within 1 % of the true value. */
        Durations: {
            /** @description The mean. */
            mean_minutes: number;
            /** @description The median. */
            p50_minutes: number;
            /** @description 90 % took at most this long. */
            p90_minutes: number;
            /** @description 99 % took at most this long. */
            p99_minutes: number;
        };
        /** @description How a step of the workflow performs. */
        StepPerformance: {
            /** @description The step. */
            step_id: string;
            /** @description Assignments that wait for a decision now. */
            assigned: number;
            /** @description Times it was approved. */
            approved: number;
            /** @description Times it was rejected. */
            rejected: number;
            /** @description Approved over decided, from 0 to 1; null before a decision. */
            approval_rate: number | null;
            /** @description From the assignment until the approver took it up; null before a decision. */
            waiting_time: components["schemas"]["Durations"] | null;
            /** @description From taking it up until the decision; null before a decision. */
            working_time: components["schemas"]["Durations"] | null;
            /** @description The step's estimated duration. */
            estimated_minutes: number;
            /** @description Mean working time less the estimate; null before a decision. */
            overrun_minutes: number | null;
            /** @description The step's share of the time that ended executions took, from 0 to 1; null while they took none. */
            critical_path_share: number | null;
        };
        /** @description A step that holds executions up. */
        Bottleneck: {
            /** @description The step. */
            step_id: string;
            /** @description Its share of the time that ended executions took, from 0 to 1. */
            critical_path_share: number;
            /** @description Mean time from assignment to decision over the estimate. */
            estimate_ratio: number;
            /**
             * @description Which part of its time is to blame.
             * @enum {string}
             */
            cause: "waiting" | "working";
            /** @description The finding in one sentence. */
            message: string;
        };
        /** @description A change to the workflow, and what it would bring. */
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
            /** @description The recommendation in one sentence. */
            message: string;
            /** @description Predicted change of the mean completion time; negative is faster. */
            predicted_change_minutes: number;
        };
        /** @description A requested upload. */
        Upload: {
            /**
             * Format: uri
             * @description Where to put the file; use it as it is.
             */
            upload_url: string;
            /**
             * Format: uuid
             * @description Names this upload in the confirm call.
             */
            session_id: string;
            /** @description The storage key to confirm. */
            key: string;
            /**
             * @description The method to use on `upload_url`.
             * @enum {string}
             */
            method: "PUT";
            /** @description The headers to send to `upload_url`, and no key. */
            headers: {
                /** @description The `content_type` of the request. */
                "Content-Type": string;
            };
            /**
             * Format: date-time
             * @description Until when `upload_url` is valid.
             */
            expires_at: string;
        };
        /** @description A confirmed upload. */
        Document: {
            /** @description Names the document in an execution request. */
            document_id: string;
            /**
             * Format: uuid
             * @description The upload.
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
            /** @description SHA-256 digest of the bytes in hexadecimal. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was confirmed.
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
            /** @description The status's phrase. */
            title: string;
            /** @description The status of this answer. */
            status: number;
            /**
             * @description The kind of problem, to branch on.
             * @enum {string}
             */
            code: "invalid-json" | "invalid-request" | "unsupported-media-type" | "body-too-large" | "missing-key" | "key-with-scheme" | "misplaced-key" | "not-a-test-key" | "unknown-path" | "method-not-allowed" | "workflow-not-found" | "document-not-confirmed" | "session-not-found" | "object-not-stored" | "key-of-another-session" | "file-name-mismatch" | "file-too-large" | "invalid-preference" | "internal-error" | "memory-full";
            /** @description What failed, why, and what to do. */
            detail: string;
            /** @description Every broken rule, at most 100 of them. */
            errors?: components["schemas"]["Violation"][];
        };
        /** @description A broken rule. */
        Violation: {
            /** @description JSON Pointer (RFC 6901) to the field in the request body. */
            pointer: string;
            /** @description The JSON Schema keyword that is broken. */
            rule: string;
            /** @description What the value must be, and what it is. */
            message: string;
        };
        /** @description An error of the storage address, as S3 writes it. */
        StorageError: string;
    };
    responses: {
        /** @description The request breaks a rule; `errors` lists every broken rule. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is missing, is not sent raw in `Authorization`, or is not a test key. */
        Unauthorized: {
            headers: {
                /**
                 * @description The challenge that RFC 9110 section 11.6.1 asks for.
                 * @example ApiKey realm="Countersign", header="Authorization"
                 */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No workflow of this tenant has this identifier. */
        WorkflowNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no room for what would be created. A key that was never seen creates a world of its own with any call. */
        MemoryFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, or the file that it announces, is larger than the limit. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared to be JSON. */
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
            /** @description The request asks, with `Prefer`, for an answer that this contract does not have. */
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
            /** @description The document was never confirmed. */
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
            /** @description Where to put the file, and the session to confirm afterwards. */
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
            /** @description The document exists now. */
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
            /** @description The object was not stored, or is not this session's. */
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
            507: components["responses"]["MemoryFull"];
        };
    };
    putObject: {
        parameters: {
            query: {
                /**
                 * @description When the URL was signed.
                 * @example 20260301T090000Z
                 */
                "X-Amz-Date": string;
                /**
                 * @description For how many seconds the URL is valid.
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
                 * @description The MD5 of the file, in base64. Verified if it is sent.
                 * @example 1B2M2Y8AsgTpgAmY7PhCfg==
                 */
                "Content-MD5"?: string;
                /**
                 * @description `*` stores the file only if none is stored yet.
                 * @example *
                 */
                "If-None-Match"?: string;
                /**
                 * @description Stores the file only if the stored one has this `ETag`.
                 * @example "4c7d0e8f5b1a92d36e0f8a4b7c5d1e2f93a6b8c0d4e7f1a25b3c6d9e8f0a1b2c"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The tenant.
                 * @example 4be1c0d29a77583f0d62c1ab90e7f4d3
                 */
                tenant_id: string;
                /**
                 * @description The upload.
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
                     * @description An opaque tag of the object's content.
                     * @example "4c7d0e8f5b1a92d36e0f8a4b7c5d1e2f93a6b8c0d4e7f1a25b3c6d9e8f0a1b2c"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The request carries an `Authorization` header, its body did not arrive, or a digest that it announces is malformed
             *     or of other bytes.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description The URL has expired or was changed, or the request is not the one it was signed for. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description `If-Match` is sent, and no file is stored. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description The body comes in chunks, without its length announced. */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description `If-None-Match` or `If-Match` is sent, and what is stored does not meet it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": components["schemas"]["StorageError"];
                };
            };
            /** @description A header asks for what storage does not do, such as to store a part of a file. */
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
