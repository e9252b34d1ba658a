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
         * Whether the mock is up
         * @description For scripts that wait until the mock answers.
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
         * Back to the seed
         * @description State, clock and settings are what they were at the start; with a key, its world is what new worlds begin with.
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
         * What has happened
         * @description Events are never changed or taken back, so they tell how a state came about.
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
         * The latest requests
         * @description For a look at what a client really sent, and how it was answered.
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
         * The scenarios that there are
         * @description What loading a scenario can begin with.
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
         * Begin anew with a scenario
         * @description Everything that was there before is gone. Clock and settings stay as they are.
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
         * What time it is
         * @description Every world has a clock of its own; without a key it is the clock that new worlds begin with.
         */
        get: operations["getClock"];
        /**
         * Change the clock's speed
         * @description The time goes on from where it is.
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
         * @description Everything that is due by then has happened, in order, before the answer.
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
         * How the mock behaves
         * @description Without a key they are the settings that new worlds begin with.
         */
        get: operations["getSettings"];
        /**
         * Change how the mock behaves
         * @description Settings that are left out go back to what the mock was started with.
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
                 * @description A step of it.
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
         * @description It has the same effect as a decision of a simulated approver, now.
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
        /** @description How the mock behaves. */
        Settings: {
            /**
             * @description Who decides steps.
             * @enum {string}
             */
            approvers?: "auto" | "instant" | "manual";
            /** @description Every answer to a call with a key waits so long, in real milliseconds. */
            latency?: {
                /** @description At least. */
                min_ms: number;
                /** @description At most; not below min_ms. */
                max_ms: number;
            };
            /** @description Calls that fail now and then; the first that is drawn counts. */
            faults?: {
                /** @description Share of the calls that fail. */
                probability: number;
                /** @description What they are answered with. */
                status: number;
                /**
                 * @description Which call; all of them where it is left out.
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
            /** @description The status's phrase. */
            title: string;
            /** @description The status of this answer. */
            status: number;
            /** @description The kind of problem, to branch on. */
            code: string;
            /** @description What failed, why, and what to do. */
            detail: string;
            /** @description Every broken rule. */
            errors?: {
                /** @description JSON Pointer (RFC 6901) to the field. */
                pointer: string;
                /** @description The JSON Schema keyword that is broken. */
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
                    /** @description Times faster than the real time; 0 stands still. */
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
        /** @description The request breaks a rule. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description The caller may not steer the mock. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description There is a key, and it is no test key. */
        WrongKey: {
            headers: {
                /** @description The challenge that RFC 9110 section 11.6.1 asks for. */
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
        /** @description The body is not sent as JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AdminProblem"];
            };
        };
        /** @description There is nothing of this name; the answer says what there is. */
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
        /** @description At most so many. */
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
            /** @description It is. */
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
                        /** @description How many keys have a world now. */
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
                /** @description At most so many. */
                limit?: components["parameters"]["limit"];
                /**
                 * @description Only events of this type: WorkflowCreated finds what a scenario has made.
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
            /** @description The latest events, the oldest first; fewer than the limit if they would be more than 16 MiB of text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Events with their place, time, tenant and type. The other members depend on the type, and have the names and units of the service's contract. */
                        events: ({
                            /** @description Place in its world's journal, from 1. */
                            seq: number;
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            at: string;
                            /**
                             * @description What happened, in the past tense.
                             * @enum {string}
                             */
                            type: "WorkflowCreated" | "ExecutionStarted" | "StepAssigned" | "StepDecided" | "AssignmentWithdrawn" | "ExecutionCompleted" | "UploadRequested" | "ObjectStored" | "UploadConfirmed";
                            /** @description The world. */
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
                /** @description At most so many. */
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
                             * @description When, by the real clock.
                             */
                            at: string;
                            /** @description The world; null where the key was refused. */
                            tenant_id: string | null;
                            /** @description Its method. */
                            method: string;
                            /** @description Its path, without the query. */
                            path: string;
                            /** @description How it was answered; 0 if the connection was broken on purpose. */
                            status: number;
                            /** @description How long the answer took. */
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
            /** @description Every scenario, and the one that new worlds begin with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What new worlds begin with. */
                        current: string;
                        /** @description All of them. */
                        scenarios: {
                            /** @description Its name. */
                            name: string;
                            /** @description What is in it. */
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
                    /** @description Times faster than the real time; 0 stands still. */
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
                 * @description A step of it.
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
                     * @description What is decided.
                     * @enum {string}
                     */
                    decision: "approved" | "rejected";
                    /**
                     * Format: email
                     * @description Who decides; the assignee.
                     */
                    approver_email: string;
                };
            };
        };
        responses: {
            /** @description The step is decided, and the execution has moved on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The execution. */
                        execution_id: string;
                        /**
                         * @description Its state after the decision.
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
            /** @description The step is not assigned, or not to this approver. */
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
