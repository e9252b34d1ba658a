// Generated from src/contract/admin.yaml by 'npm run generate'; do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var branchTenant = validate20;
var func1 = require_ucs2length().default;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.as_of === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "as_of" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.key === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "key" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "as_of" || key0 === "key")) {
        const err2 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.as_of !== void 0) {
      let data0 = data.as_of;
      if (!(typeof data0 == "number" && (!(data0 % 1) && !isNaN(data0)))) {
        const err3 = { instancePath: instancePath + "/as_of", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (typeof data0 == "number") {
        if (data0 < 0 || isNaN(data0)) {
          const err4 = { instancePath: instancePath + "/as_of", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      }
    }
    if (data.key !== void 0) {
      let data1 = data.key;
      if (typeof data1 === "string") {
        if (data1.length > 200 && func1(data1) > 200) {
          const err5 = { instancePath: instancePath + "/key", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (func1(data1) < 6) {
          const err6 = { instancePath: instancePath + "/key", keyword: "minLength", params: { limit: 6 }, message: "must NOT have fewer than 6 characters" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/key", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
  } else {
    const err8 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err8];
    } else {
      vErrors.push(err8);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
var sendCall = validate21;
var schema32 = { "type": "object", "description": "The call.", "additionalProperties": false, "required": ["operation_id"], "properties": { "operation_id": { "type": "string", "enum": ["createWorkflow", "getWorkflow", "executeWorkflow", "requestUpload", "confirmUpload"], "description": "The operation." }, "params": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 500 }, "description": "The parameters of the path." }, "body": { "description": "The JSON body." } }, "$id": "sendCall" };
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.operation_id === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "operation_id" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "operation_id" || key0 === "params" || key0 === "body")) {
        const err1 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.operation_id !== void 0) {
      let data0 = data.operation_id;
      if (typeof data0 !== "string") {
        const err2 = { instancePath: instancePath + "/operation_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
      if (!(data0 === "createWorkflow" || data0 === "getWorkflow" || data0 === "executeWorkflow" || data0 === "requestUpload" || data0 === "confirmUpload")) {
        const err3 = { instancePath: instancePath + "/operation_id", keyword: "enum", params: { allowedValues: schema32.properties.operation_id.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.params !== void 0) {
      let data1 = data.params;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        for (const key1 in data1) {
          let data2 = data1[key1];
          if (typeof data2 === "string") {
            if (data2.length > 500 && func1(data2) > 500) {
              const err4 = { instancePath: instancePath + "/params/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), keyword: "maxLength", params: { limit: 500 }, message: "must NOT have more than 500 characters" };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/params/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/params", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
  } else {
    const err7 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err7];
    } else {
      vErrors.push(err7);
    }
    errors++;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
var setClock = validate22;
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.speed === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "speed" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "speed")) {
        const err1 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.speed !== void 0) {
      let data0 = data.speed;
      if (typeof data0 == "number") {
        if (data0 > 1e6 || isNaN(data0)) {
          const err2 = { instancePath: instancePath + "/speed", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data0 < 0 || isNaN(data0)) {
          const err3 = { instancePath: instancePath + "/speed", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/speed", keyword: "type", params: { type: "number" }, message: "must be number" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
  } else {
    const err5 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err5];
    } else {
      vErrors.push(err5);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
var advanceClock = validate23;
var schema34 = { "type": "object", "description": "The time to advance by.", "additionalProperties": false, "minProperties": 1, "maxProperties": 1, "properties": { "to": { "type": "string", "enum": ["next-decision"], "description": "Advances to the next decision of a simulated approver, in one world. Does nothing if none is planned." }, "duration": { "type": "string", "description": "An ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT2H or P90D.", "pattern": "^P(?=.)(\\d{1,4}W)?(\\d{1,5}D)?(T(?=\\d)(\\d{1,6}H)?(\\d{1,7}M)?(\\d{1,9}(\\.\\d{1,3})?S)?)?$", "examples": ["PT2H"] } }, "$id": "advanceClock" };
var pattern4 = new RegExp("^P(?=.)(\\d{1,4}W)?(\\d{1,5}D)?(T(?=\\d)(\\d{1,6}H)?(\\d{1,7}M)?(\\d{1,9}(\\.\\d{1,3})?S)?)?$", "u");
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (Object.keys(data).length > 1) {
      const err0 = { instancePath, keyword: "maxProperties", params: { limit: 1 }, message: "must NOT have more than 1 properties" };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (Object.keys(data).length < 1) {
      const err1 = { instancePath, keyword: "minProperties", params: { limit: 1 }, message: "must NOT have fewer than 1 properties" };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "to" || key0 === "duration")) {
        const err2 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.to !== void 0) {
      let data0 = data.to;
      if (typeof data0 !== "string") {
        const err3 = { instancePath: instancePath + "/to", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (!(data0 === "next-decision")) {
        const err4 = { instancePath: instancePath + "/to", keyword: "enum", params: { allowedValues: schema34.properties.to.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.duration !== void 0) {
      let data1 = data.duration;
      if (typeof data1 === "string") {
        if (!pattern4.test(data1)) {
          const err5 = { instancePath: instancePath + "/duration", keyword: "pattern", params: { pattern: "^P(?=.)(\\d{1,4}W)?(\\d{1,5}D)?(T(?=\\d)(\\d{1,6}H)?(\\d{1,7}M)?(\\d{1,9}(\\.\\d{1,3})?S)?)?$" }, message: 'must match pattern "^P(?=.)(\\d{1,4}W)?(\\d{1,5}D)?(T(?=\\d)(\\d{1,6}H)?(\\d{1,7}M)?(\\d{1,9}(\\.\\d{1,3})?S)?)?$"' };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      } else {
        const err6 = { instancePath: instancePath + "/duration", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
  } else {
    const err7 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err7];
    } else {
      vErrors.push(err7);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
var setSettings = validate24;
var schema37 = { "type": "object", "additionalProperties": false, "properties": { "approvers": { "type": "string", "enum": ["auto", "instant", "manual"] }, "latency": { "type": "object", "additionalProperties": false, "required": ["min_ms", "max_ms"], "properties": { "min_ms": { "type": "integer", "minimum": 0, "maximum": 6e4 }, "max_ms": { "type": "integer", "minimum": 0, "maximum": 6e4 }, "p50_ms": { "type": "number" }, "p99_ms": { "type": "number" } } }, "faults": { "type": "array", "maxItems": 20, "items": { "type": "object", "additionalProperties": false, "required": ["probability", "status"], "properties": { "probability": { "type": "number", "minimum": 0, "maximum": 1 }, "status": { "type": "integer", "minimum": 400, "maximum": 599 }, "operation_id": { "type": "string" } } } }, "rate_limit": { "type": "number" } } };
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!(key0 === "approvers" || key0 === "latency" || key0 === "faults" || key0 === "rate_limit")) {
        const err0 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err0];
        } else {
          vErrors.push(err0);
        }
        errors++;
      }
    }
    if (data.approvers !== void 0) {
      let data0 = data.approvers;
      if (typeof data0 !== "string") {
        const err1 = { instancePath: instancePath + "/approvers", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
      if (!(data0 === "auto" || data0 === "instant" || data0 === "manual")) {
        const err2 = { instancePath: instancePath + "/approvers", keyword: "enum", params: { allowedValues: schema37.properties.approvers.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.latency !== void 0) {
      let data1 = data.latency;
      if (data1 && typeof data1 == "object" && !Array.isArray(data1)) {
        if (data1.min_ms === void 0) {
          const err3 = { instancePath: instancePath + "/latency", keyword: "required", params: { missingProperty: "min_ms" } };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data1.max_ms === void 0) {
          const err4 = { instancePath: instancePath + "/latency", keyword: "required", params: { missingProperty: "max_ms" } };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        for (const key1 in data1) {
          if (!(key1 === "min_ms" || key1 === "max_ms" || key1 === "p50_ms" || key1 === "p99_ms")) {
            const err5 = { instancePath: instancePath + "/latency", keyword: "additionalProperties", params: { additionalProperty: key1 }, message: "must NOT have additional properties" };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data1.min_ms !== void 0) {
          let data2 = data1.min_ms;
          if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)))) {
            const err6 = { instancePath: instancePath + "/latency/min_ms", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
          if (typeof data2 == "number") {
            if (data2 > 6e4 || isNaN(data2)) {
              const err7 = { instancePath: instancePath + "/latency/min_ms", keyword: "maximum", params: { comparison: "<=", limit: 6e4 }, message: "must be <= 60000" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (data2 < 0 || isNaN(data2)) {
              const err8 = { instancePath: instancePath + "/latency/min_ms", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err8];
              } else {
                vErrors.push(err8);
              }
              errors++;
            }
          }
        }
        if (data1.max_ms !== void 0) {
          let data3 = data1.max_ms;
          if (!(typeof data3 == "number" && (!(data3 % 1) && !isNaN(data3)))) {
            const err9 = { instancePath: instancePath + "/latency/max_ms", keyword: "type", params: { type: "integer" }, message: "must be integer" };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
          if (typeof data3 == "number") {
            if (data3 > 6e4 || isNaN(data3)) {
              const err10 = { instancePath: instancePath + "/latency/max_ms", keyword: "maximum", params: { comparison: "<=", limit: 6e4 }, message: "must be <= 60000" };
              if (vErrors === null) {
                vErrors = [err10];
              } else {
                vErrors.push(err10);
              }
              errors++;
            }
            if (data3 < 0 || isNaN(data3)) {
              const err11 = { instancePath: instancePath + "/latency/max_ms", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
              if (vErrors === null) {
                vErrors = [err11];
              } else {
                vErrors.push(err11);
              }
              errors++;
            }
          }
        }
        if (data1.p50_ms !== void 0) {
          if (!(typeof data1.p50_ms == "number")) {
            const err12 = { instancePath: instancePath + "/latency/p50_ms", keyword: "type", params: { type: "number" }, message: "must be number" };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data1.p99_ms !== void 0) {
          if (!(typeof data1.p99_ms == "number")) {
            const err13 = { instancePath: instancePath + "/latency/p99_ms", keyword: "type", params: { type: "number" }, message: "must be number" };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
      } else {
        const err14 = { instancePath: instancePath + "/latency", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.faults !== void 0) {
      let data6 = data.faults;
      if (Array.isArray(data6)) {
        if (data6.length > 20) {
          const err15 = { instancePath: instancePath + "/faults", keyword: "maxItems", params: { limit: 20 }, message: "must NOT have more than 20 items" };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
        const len0 = data6.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data7 = data6[i0];
          if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
            if (data7.probability === void 0) {
              const err16 = { instancePath: instancePath + "/faults/" + i0, keyword: "required", params: { missingProperty: "probability" } };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
            if (data7.status === void 0) {
              const err17 = { instancePath: instancePath + "/faults/" + i0, keyword: "required", params: { missingProperty: "status" } };
              if (vErrors === null) {
                vErrors = [err17];
              } else {
                vErrors.push(err17);
              }
              errors++;
            }
            for (const key2 in data7) {
              if (!(key2 === "probability" || key2 === "status" || key2 === "operation_id")) {
                const err18 = { instancePath: instancePath + "/faults/" + i0, keyword: "additionalProperties", params: { additionalProperty: key2 }, message: "must NOT have additional properties" };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (data7.probability !== void 0) {
              let data8 = data7.probability;
              if (typeof data8 == "number") {
                if (data8 > 1 || isNaN(data8)) {
                  const err19 = { instancePath: instancePath + "/faults/" + i0 + "/probability", keyword: "maximum", params: { comparison: "<=", limit: 1 }, message: "must be <= 1" };
                  if (vErrors === null) {
                    vErrors = [err19];
                  } else {
                    vErrors.push(err19);
                  }
                  errors++;
                }
                if (data8 < 0 || isNaN(data8)) {
                  const err20 = { instancePath: instancePath + "/faults/" + i0 + "/probability", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
              } else {
                const err21 = { instancePath: instancePath + "/faults/" + i0 + "/probability", keyword: "type", params: { type: "number" }, message: "must be number" };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
            if (data7.status !== void 0) {
              let data9 = data7.status;
              if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)))) {
                const err22 = { instancePath: instancePath + "/faults/" + i0 + "/status", keyword: "type", params: { type: "integer" }, message: "must be integer" };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
              if (typeof data9 == "number") {
                if (data9 > 599 || isNaN(data9)) {
                  const err23 = { instancePath: instancePath + "/faults/" + i0 + "/status", keyword: "maximum", params: { comparison: "<=", limit: 599 }, message: "must be <= 599" };
                  if (vErrors === null) {
                    vErrors = [err23];
                  } else {
                    vErrors.push(err23);
                  }
                  errors++;
                }
                if (data9 < 400 || isNaN(data9)) {
                  const err24 = { instancePath: instancePath + "/faults/" + i0 + "/status", keyword: "minimum", params: { comparison: ">=", limit: 400 }, message: "must be >= 400" };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              }
            }
            if (data7.operation_id !== void 0) {
              if (typeof data7.operation_id !== "string") {
                const err25 = { instancePath: instancePath + "/faults/" + i0 + "/operation_id", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
          } else {
            const err26 = { instancePath: instancePath + "/faults/" + i0, keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/faults", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.rate_limit !== void 0) {
      if (!(typeof data.rate_limit == "number")) {
        const err28 = { instancePath: instancePath + "/rate_limit", keyword: "type", params: { type: "number" }, message: "must be number" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
  } else {
    const err29 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err29];
    } else {
      vErrors.push(err29);
    }
    errors++;
  }
  validate24.errors = vErrors;
  return errors === 0;
}
var addNextAnswer = validate26;
var schema38 = { "type": "object", "description": "The answer. At least one of status, delay_ms and connection is given.", "additionalProperties": false, "required": ["operation_id"], "properties": { "operation_id": { "type": "string", "description": "The operation.", "examples": ["executeWorkflow"] }, "status": { "type": "integer", "minimum": 200, "maximum": 599, "description": "The status. Without it, the call is carried out as usual, after delay_ms." }, "body": { "description": "JSON, or a text that is sent as it is. From status 400 on it is an error by default." }, "headers": { "type": "object", "description": "Further headers.", "maxProperties": 50, "additionalProperties": { "type": "string", "maxLength": 8e3 } }, "delay_ms": { "type": "number", "minimum": 0, "maximum": 6e4, "description": "Real milliseconds before the answer." }, "connection": { "type": "string", "enum": ["kept", "broken"], "description": "broken ends the connection without an answer." }, "times": { "type": "integer", "minimum": 1, "maximum": 1e3, "default": 1, "description": "The number of calls." } }, "$id": "addNextAnswer" };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.times === void 0) {
      data.times = 1;
    }
    if (data.operation_id === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "operation_id" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "operation_id" || key0 === "status" || key0 === "body" || key0 === "headers" || key0 === "delay_ms" || key0 === "connection" || key0 === "times")) {
        const err1 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err1];
        } else {
          vErrors.push(err1);
        }
        errors++;
      }
    }
    if (data.operation_id !== void 0) {
      if (typeof data.operation_id !== "string") {
        const err2 = { instancePath: instancePath + "/operation_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.status !== void 0) {
      let data1 = data.status;
      if (!(typeof data1 == "number" && (!(data1 % 1) && !isNaN(data1)))) {
        const err3 = { instancePath: instancePath + "/status", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if (typeof data1 == "number") {
        if (data1 > 599 || isNaN(data1)) {
          const err4 = { instancePath: instancePath + "/status", keyword: "maximum", params: { comparison: "<=", limit: 599 }, message: "must be <= 599" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1 < 200 || isNaN(data1)) {
          const err5 = { instancePath: instancePath + "/status", keyword: "minimum", params: { comparison: ">=", limit: 200 }, message: "must be >= 200" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      }
    }
    if (data.headers !== void 0) {
      let data2 = data.headers;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (Object.keys(data2).length > 50) {
          const err6 = { instancePath: instancePath + "/headers", keyword: "maxProperties", params: { limit: 50 }, message: "must NOT have more than 50 properties" };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
        for (const key1 in data2) {
          let data3 = data2[key1];
          if (typeof data3 === "string") {
            if (data3.length > 8e3 && func1(data3) > 8e3) {
              const err7 = { instancePath: instancePath + "/headers/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), keyword: "maxLength", params: { limit: 8e3 }, message: "must NOT have more than 8000 characters" };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
          } else {
            const err8 = { instancePath: instancePath + "/headers/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), keyword: "type", params: { type: "string" }, message: "must be string" };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
      } else {
        const err9 = { instancePath: instancePath + "/headers", keyword: "type", params: { type: "object" }, message: "must be object" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.delay_ms !== void 0) {
      let data4 = data.delay_ms;
      if (typeof data4 == "number") {
        if (data4 > 6e4 || isNaN(data4)) {
          const err10 = { instancePath: instancePath + "/delay_ms", keyword: "maximum", params: { comparison: "<=", limit: 6e4 }, message: "must be <= 60000" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
        if (data4 < 0 || isNaN(data4)) {
          const err11 = { instancePath: instancePath + "/delay_ms", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      } else {
        const err12 = { instancePath: instancePath + "/delay_ms", keyword: "type", params: { type: "number" }, message: "must be number" };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.connection !== void 0) {
      let data5 = data.connection;
      if (typeof data5 !== "string") {
        const err13 = { instancePath: instancePath + "/connection", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
      if (!(data5 === "kept" || data5 === "broken")) {
        const err14 = { instancePath: instancePath + "/connection", keyword: "enum", params: { allowedValues: schema38.properties.connection.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    let data6 = data.times;
    if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)))) {
      const err15 = { instancePath: instancePath + "/times", keyword: "type", params: { type: "integer" }, message: "must be integer" };
      if (vErrors === null) {
        vErrors = [err15];
      } else {
        vErrors.push(err15);
      }
      errors++;
    }
    if (typeof data6 == "number") {
      if (data6 > 1e3 || isNaN(data6)) {
        const err16 = { instancePath: instancePath + "/times", keyword: "maximum", params: { comparison: "<=", limit: 1e3 }, message: "must be <= 1000" };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
      if (data6 < 1 || isNaN(data6)) {
        const err17 = { instancePath: instancePath + "/times", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
  } else {
    const err18 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err18];
    } else {
      vErrors.push(err18);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
var decideStep = validate27;
var schema39 = { "type": "object", "description": "The decision.", "additionalProperties": false, "required": ["step_id", "decision", "approver_email"], "properties": { "step_id": { "type": "string", "description": "The step." }, "decision": { "type": "string", "enum": ["approved", "rejected"], "description": "The decision." }, "approver_email": { "type": "string", "format": "email", "maxLength": 254, "description": "The assignee." } }, "$id": "decideStep" };
var formats0 = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.step_id === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "step_id" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.decision === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "decision" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.approver_email === void 0) {
      const err2 = { instancePath, keyword: "required", params: { missingProperty: "approver_email" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "step_id" || key0 === "decision" || key0 === "approver_email")) {
        const err3 = { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 }, message: "must NOT have additional properties" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.step_id !== void 0) {
      if (typeof data.step_id !== "string") {
        const err4 = { instancePath: instancePath + "/step_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.decision !== void 0) {
      let data1 = data.decision;
      if (typeof data1 !== "string") {
        const err5 = { instancePath: instancePath + "/decision", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
      if (!(data1 === "approved" || data1 === "rejected")) {
        const err6 = { instancePath: instancePath + "/decision", keyword: "enum", params: { allowedValues: schema39.properties.decision.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.approver_email !== void 0) {
      let data2 = data.approver_email;
      if (typeof data2 === "string") {
        if (data2.length > 254 && func1(data2) > 254) {
          const err7 = { instancePath: instancePath + "/approver_email", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (!formats0.test(data2)) {
          const err8 = { instancePath: instancePath + "/approver_email", keyword: "format", params: { format: "email" }, message: 'must match format "email"' };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/approver_email", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
  } else {
    const err10 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err10];
    } else {
      vErrors.push(err10);
    }
    errors++;
  }
  validate27.errors = vErrors;
  return errors === 0;
}
var validators = { branchTenant, sendCall, setClock, advanceClock, setSettings, addNextAnswer, decideStep };
export {
  validators
};
