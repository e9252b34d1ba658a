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
    "/__admin/executions/{execution_id}/steps/{step_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
                /**
                 * @description The step.
                 * @example legal
                 */
                step_id: string;
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
        /** @description The name is unknown; the answer lists the known ones. */
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
            query?: never;
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
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    getJournal: {
        parameters: {
            query?: {
                /** @description The most entries to return. */
                limit?: components["parameters"]["limit"];
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
                        /** @description Events with their position, time, tenant and type. The other members depend on the type, and have the names and units of the service's contract. */
                        events: ({
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
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    getRequests: {
        parameters: {
            query?: {
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
                        requests: {
                            /**
                             * Format: date-time
                             * @description The real time of the request.
                             */
                            at: string;
                            /** @description The tenant; null if the key was refused. */
                            tenant_id: string | null;
                            /** @description The method. */
                            method: string;
                            /** @description The path, without the query. */
                            path: string;
                            /** @description The status of the answer; 0 if the connection was broken on purpose. */
                            status: number;
                            /** @description The time until the answer, in milliseconds. */
                            duration_ms: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
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
        requestBody?: never;
        responses: {
            /** @description Loaded. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    setClock: {
        parameters: {
            query?: never;
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
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT2H or P90D.
                     * @example PT2H
                     */
                    duration: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Settings"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    setSettings: {
        parameters: {
            query?: never;
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
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    getNextAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NextAnswers"];
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    addNextAnswer: {
        parameters: {
            query?: never;
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
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
        };
    };
    clearNextAnswers: {
        parameters: {
            query?: never;
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
            401: components["responses"]["WrongKey"];
            403: components["responses"]["Refused"];
        };
    };
    decideStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The execution.
                 * @example exe_7h3w9p2r5t8y1k4m
                 */
                execution_id: string;
                /**
                 * @description The step.
                 * @example legal
                 */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
