// Generated from openapi.yaml by 'npm run generate'; do not edit.
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
var createWorkflow = validate20;
var func1 = require_ucs2length().default;
var schema34 = { "additionalProperties": false, "type": "object", "required": ["step_id", "name", "order", "type", "approvers", "estimated_duration"], "properties": { "step_id": { "type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$" }, "name": { "type": "string", "minLength": 1, "maxLength": 100 }, "order": { "type": "integer", "minimum": 1, "maximum": 1e6 }, "type": { "type": "string", "enum": ["approval"] }, "approvers": { "type": "array", "minItems": 1, "maxItems": 100, "items": { "$ref": "#/components/schemas/Approver" } }, "estimated_duration": { "type": "integer", "minimum": 1, "maximum": 1e6 } } };
var pattern4 = new RegExp("^[A-Za-z0-9_.-]{1,64}$", "u");
var formats0 = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
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
    if (data.name === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "name" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.order === void 0) {
      const err2 = { instancePath, keyword: "required", params: { missingProperty: "order" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.type === void 0) {
      const err3 = { instancePath, keyword: "required", params: { missingProperty: "type" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.approvers === void 0) {
      const err4 = { instancePath, keyword: "required", params: { missingProperty: "approvers" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.estimated_duration === void 0) {
      const err5 = { instancePath, keyword: "required", params: { missingProperty: "estimated_duration" } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "step_id" || key0 === "name" || key0 === "order" || key0 === "type" || key0 === "approvers" || key0 === "estimated_duration")) {
        delete data[key0];
      }
    }
    if (data.step_id !== void 0) {
      let data0 = data.step_id;
      if (typeof data0 === "string") {
        if (!pattern4.test(data0)) {
          const err6 = { instancePath: instancePath + "/step_id", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_.-]{1,64}$" }, message: 'must match pattern "^[A-Za-z0-9_.-]{1,64}$"' };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/step_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.name !== void 0) {
      let data1 = data.name;
      if (typeof data1 === "string") {
        if (data1.length > 100 && func1(data1) > 100) {
          const err8 = { instancePath: instancePath + "/name", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data1.length < 1) {
          const err9 = { instancePath: instancePath + "/name", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
      } else {
        const err10 = { instancePath: instancePath + "/name", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.order !== void 0) {
      let data2 = data.order;
      if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)))) {
        const err11 = { instancePath: instancePath + "/order", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
      if (typeof data2 == "number") {
        if (data2 > 1e6 || isNaN(data2)) {
          const err12 = { instancePath: instancePath + "/order", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
        if (data2 < 1 || isNaN(data2)) {
          const err13 = { instancePath: instancePath + "/order", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      }
    }
    if (data.type !== void 0) {
      let data3 = data.type;
      if (typeof data3 !== "string") {
        const err14 = { instancePath: instancePath + "/type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
      if (!(data3 === "approval")) {
        const err15 = { instancePath: instancePath + "/type", keyword: "enum", params: { allowedValues: schema34.properties.type.enum }, message: "must be equal to one of the allowed values" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.approvers !== void 0) {
      let data4 = data.approvers;
      if (Array.isArray(data4)) {
        if (data4.length > 100) {
          const err16 = { instancePath: instancePath + "/approvers", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (data4.length < 1) {
          const err17 = { instancePath: instancePath + "/approvers", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
        const len0 = data4.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data5 = data4[i0];
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (data5.email === void 0) {
              const err18 = { instancePath: instancePath + "/approvers/" + i0, keyword: "required", params: { missingProperty: "email" } };
              if (vErrors === null) {
                vErrors = [err18];
              } else {
                vErrors.push(err18);
              }
              errors++;
            }
            if (data5.name === void 0) {
              const err19 = { instancePath: instancePath + "/approvers/" + i0, keyword: "required", params: { missingProperty: "name" } };
              if (vErrors === null) {
                vErrors = [err19];
              } else {
                vErrors.push(err19);
              }
              errors++;
            }
            for (const key1 in data5) {
              if (!(key1 === "email" || key1 === "name")) {
                delete data5[key1];
              }
            }
            if (data5.email !== void 0) {
              let data6 = data5.email;
              if (typeof data6 === "string") {
                if (data6.length > 254 && func1(data6) > 254) {
                  const err20 = { instancePath: instancePath + "/approvers/" + i0 + "/email", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
                if (!formats0.test(data6)) {
                  const err21 = { instancePath: instancePath + "/approvers/" + i0 + "/email", keyword: "format", params: { format: "email" }, message: 'must match format "email"' };
                  if (vErrors === null) {
                    vErrors = [err21];
                  } else {
                    vErrors.push(err21);
                  }
                  errors++;
                }
              } else {
                const err22 = { instancePath: instancePath + "/approvers/" + i0 + "/email", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
            }
            if (data5.name !== void 0) {
              let data7 = data5.name;
              if (typeof data7 === "string") {
                if (data7.length > 100 && func1(data7) > 100) {
                  const err23 = { instancePath: instancePath + "/approvers/" + i0 + "/name", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
                  if (vErrors === null) {
                    vErrors = [err23];
                  } else {
                    vErrors.push(err23);
                  }
                  errors++;
                }
                if (data7.length < 1) {
                  const err24 = { instancePath: instancePath + "/approvers/" + i0 + "/name", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              } else {
                const err25 = { instancePath: instancePath + "/approvers/" + i0 + "/name", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
          } else {
            const err26 = { instancePath: instancePath + "/approvers/" + i0, keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/approvers", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.estimated_duration !== void 0) {
      let data8 = data.estimated_duration;
      if (!(typeof data8 == "number" && (!(data8 % 1) && !isNaN(data8)))) {
        const err28 = { instancePath: instancePath + "/estimated_duration", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
      if (typeof data8 == "number") {
        if (data8 > 1e6 || isNaN(data8)) {
          const err29 = { instancePath: instancePath + "/estimated_duration", keyword: "maximum", params: { comparison: "<=", limit: 1e6 }, message: "must be <= 1000000" };
          if (vErrors === null) {
            vErrors = [err29];
          } else {
            vErrors.push(err29);
          }
          errors++;
        }
        if (data8 < 1 || isNaN(data8)) {
          const err30 = { instancePath: instancePath + "/estimated_duration", keyword: "minimum", params: { comparison: ">=", limit: 1 }, message: "must be >= 1" };
          if (vErrors === null) {
            vErrors = [err30];
          } else {
            vErrors.push(err30);
          }
          errors++;
        }
      }
    }
  } else {
    const err31 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err31];
    } else {
      vErrors.push(err31);
    }
    errors++;
  }
  validate23.errors = vErrors;
  return errors === 0;
}
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.description === void 0) {
      data.description = "";
    }
    if (data.isSequential === void 0) {
      data.isSequential = true;
    }
    if (data.name === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "name" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.steps === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "steps" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "name" || key0 === "description" || key0 === "isSequential" || key0 === "steps")) {
        delete data[key0];
      }
    }
    if (data.name !== void 0) {
      let data0 = data.name;
      if (typeof data0 === "string") {
        if (data0.length > 100 && func1(data0) > 100) {
          const err2 = { instancePath: instancePath + "/name", keyword: "maxLength", params: { limit: 100 }, message: "must NOT have more than 100 characters" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data0.length < 1) {
          const err3 = { instancePath: instancePath + "/name", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/name", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    let data1 = data.description;
    if (typeof data1 === "string") {
      if (data1.length > 2e3 && func1(data1) > 2e3) {
        const err5 = { instancePath: instancePath + "/description", keyword: "maxLength", params: { limit: 2e3 }, message: "must NOT have more than 2000 characters" };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    } else {
      const err6 = { instancePath: instancePath + "/description", keyword: "type", params: { type: "string" }, message: "must be string" };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (typeof data.isSequential !== "boolean") {
      const err7 = { instancePath: instancePath + "/isSequential", keyword: "type", params: { type: "boolean" }, message: "must be boolean" };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    if (data.steps !== void 0) {
      let data3 = data.steps;
      if (Array.isArray(data3)) {
        if (data3.length > 100) {
          const err8 = { instancePath: instancePath + "/steps", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
        if (data3.length < 1) {
          const err9 = { instancePath: instancePath + "/steps", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
        const len0 = data3.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (!validate23(data3[i0], { instancePath: instancePath + "/steps/" + i0, parentData: data3, parentDataProperty: i0, rootData, dynamicAnchors })) {
            vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
            errors = vErrors.length;
          }
        }
        const values0 = data3.map((item) => item?.["step_id"]).filter((value) => typeof value == "string");
        if (new Set(values0).size < values0.length) {
          const err10 = { instancePath: instancePath + "/steps", keyword: "x-unique-by", params: { member: "step_id" }, message: "must have no two items with the same step_id" };
          if (vErrors === null) {
            vErrors = [err10];
          } else {
            vErrors.push(err10);
          }
          errors++;
        }
      } else {
        const err11 = { instancePath: instancePath + "/steps", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
  } else {
    const err12 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate22.errors = vErrors;
  return errors === 0;
}
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (!validate22(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
    errors = vErrors.length;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
var executeWorkflow = validate26;
var schema37 = { "additionalProperties": false, "type": "object", "required": ["document_id", "submitter_email"], "properties": { "document_id": { "type": "string", "minLength": 1, "maxLength": 200 }, "submitter_email": { "type": "string", "format": "email", "maxLength": 254 }, "execution_mode": { "type": "string", "enum": ["standard"], "default": "standard" }, "priority": { "type": "string", "enum": ["low", "normal", "high"], "default": "normal" } } };
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.execution_mode === void 0) {
      data.execution_mode = "standard";
    }
    if (data.priority === void 0) {
      data.priority = "normal";
    }
    if (data.document_id === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "document_id" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.submitter_email === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "submitter_email" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "document_id" || key0 === "submitter_email" || key0 === "execution_mode" || key0 === "priority")) {
        delete data[key0];
      }
    }
    if (data.document_id !== void 0) {
      let data0 = data.document_id;
      if (typeof data0 === "string") {
        if (data0.length > 200 && func1(data0) > 200) {
          const err2 = { instancePath: instancePath + "/document_id", keyword: "maxLength", params: { limit: 200 }, message: "must NOT have more than 200 characters" };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
        if (data0.length < 1) {
          const err3 = { instancePath: instancePath + "/document_id", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/document_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.submitter_email !== void 0) {
      let data1 = data.submitter_email;
      if (typeof data1 === "string") {
        if (data1.length > 254 && func1(data1) > 254) {
          const err5 = { instancePath: instancePath + "/submitter_email", keyword: "maxLength", params: { limit: 254 }, message: "must NOT have more than 254 characters" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        if (!formats0.test(data1)) {
          const err6 = { instancePath: instancePath + "/submitter_email", keyword: "format", params: { format: "email" }, message: 'must match format "email"' };
          if (vErrors === null) {
            vErrors = [err6];
          } else {
            vErrors.push(err6);
          }
          errors++;
        }
      } else {
        const err7 = { instancePath: instancePath + "/submitter_email", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    let data2 = data.execution_mode;
    if (typeof data2 !== "string") {
      const err8 = { instancePath: instancePath + "/execution_mode", keyword: "type", params: { type: "string" }, message: "must be string" };
      if (vErrors === null) {
        vErrors = [err8];
      } else {
        vErrors.push(err8);
      }
      errors++;
    }
    if (!(data2 === "standard")) {
      const err9 = { instancePath: instancePath + "/execution_mode", keyword: "enum", params: { allowedValues: schema37.properties.execution_mode.enum }, message: "must be equal to one of the allowed values" };
      if (vErrors === null) {
        vErrors = [err9];
      } else {
        vErrors.push(err9);
      }
      errors++;
    }
    let data3 = data.priority;
    if (typeof data3 !== "string") {
      const err10 = { instancePath: instancePath + "/priority", keyword: "type", params: { type: "string" }, message: "must be string" };
      if (vErrors === null) {
        vErrors = [err10];
      } else {
        vErrors.push(err10);
      }
      errors++;
    }
    if (!(data3 === "low" || data3 === "normal" || data3 === "high")) {
      const err11 = { instancePath: instancePath + "/priority", keyword: "enum", params: { allowedValues: schema37.properties.priority.enum }, message: "must be equal to one of the allowed values" };
      if (vErrors === null) {
        vErrors = [err11];
      } else {
        vErrors.push(err11);
      }
      errors++;
    }
  } else {
    const err12 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate26.errors = vErrors;
  return errors === 0;
}
var requestUpload = validate27;
var pattern5 = new RegExp("^(?!\\.{1,2}$)[^/\\\\\\x00-\\x1f\\x7f]*$", "u");
var pattern6 = new RegExp("^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;([ -~]*[!-~])?)?$", "u");
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.file_name === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "file_name" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.content_type === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "content_type" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.file_size === void 0) {
      const err2 = { instancePath, keyword: "required", params: { missingProperty: "file_size" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "file_name" || key0 === "content_type" || key0 === "file_size")) {
        delete data[key0];
      }
    }
    if (data.file_name !== void 0) {
      let data0 = data.file_name;
      if (typeof data0 === "string") {
        if (data0.length > 255 && func1(data0) > 255) {
          const err3 = { instancePath: instancePath + "/file_name", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
        if (data0.length < 1) {
          const err4 = { instancePath: instancePath + "/file_name", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (!pattern5.test(data0)) {
          const err5 = { instancePath: instancePath + "/file_name", keyword: "pattern", params: { pattern: "^(?!\\.{1,2}$)[^/\\\\\\x00-\\x1f\\x7f]*$" }, message: 'must match pattern "^(?!\\.{1,2}$)[^/\\\\\\x00-\\x1f\\x7f]*$"' };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      } else {
        const err6 = { instancePath: instancePath + "/file_name", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.content_type !== void 0) {
      let data1 = data.content_type;
      if (typeof data1 === "string") {
        if (data1.length > 255 && func1(data1) > 255) {
          const err7 = { instancePath: instancePath + "/content_type", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        if (!pattern6.test(data1)) {
          const err8 = { instancePath: instancePath + "/content_type", keyword: "pattern", params: { pattern: "^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;([ -~]*[!-~])?)?$" }, message: 'must match pattern "^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;([ -~]*[!-~])?)?$"' };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/content_type", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.file_size !== void 0) {
      let data2 = data.file_size;
      if (!(typeof data2 == "number" && (!(data2 % 1) && !isNaN(data2)))) {
        const err10 = { instancePath: instancePath + "/file_size", keyword: "type", params: { type: "integer" }, message: "must be integer" };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (typeof data2 == "number") {
        if (data2 < 0 || isNaN(data2)) {
          const err11 = { instancePath: instancePath + "/file_size", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" };
          if (vErrors === null) {
            vErrors = [err11];
          } else {
            vErrors.push(err11);
          }
          errors++;
        }
      }
    }
  } else {
    const err12 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err12];
    } else {
      vErrors.push(err12);
    }
    errors++;
  }
  validate27.errors = vErrors;
  return errors === 0;
}
var confirmUpload = validate28;
var formats4 = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
var pattern7 = new RegExp("^tenants/", "u");
function validate29(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.session_id === void 0) {
      const err0 = { instancePath, keyword: "required", params: { missingProperty: "session_id" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.completed_files === void 0) {
      const err1 = { instancePath, keyword: "required", params: { missingProperty: "completed_files" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.session_id !== void 0) {
      let data0 = data.session_id;
      if (typeof data0 === "string") {
        if (!formats4.test(data0)) {
          const err2 = { instancePath: instancePath + "/session_id", keyword: "format", params: { format: "uuid" }, message: 'must match format "uuid"' };
          if (vErrors === null) {
            vErrors = [err2];
          } else {
            vErrors.push(err2);
          }
          errors++;
        }
      } else {
        const err3 = { instancePath: instancePath + "/session_id", keyword: "type", params: { type: "string" }, message: "must be string" };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.completed_files !== void 0) {
      let data1 = data.completed_files;
      if (Array.isArray(data1)) {
        if (data1.length > 100) {
          const err4 = { instancePath: instancePath + "/completed_files", keyword: "maxItems", params: { limit: 100 }, message: "must NOT have more than 100 items" };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
        if (data1.length < 1) {
          const err5 = { instancePath: instancePath + "/completed_files", keyword: "minItems", params: { limit: 1 }, message: "must NOT have fewer than 1 items" };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data2 = data1[i0];
          if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
            if (data2.key === void 0) {
              const err6 = { instancePath: instancePath + "/completed_files/" + i0, keyword: "required", params: { missingProperty: "key" } };
              if (vErrors === null) {
                vErrors = [err6];
              } else {
                vErrors.push(err6);
              }
              errors++;
            }
            if (data2.file_name === void 0) {
              const err7 = { instancePath: instancePath + "/completed_files/" + i0, keyword: "required", params: { missingProperty: "file_name" } };
              if (vErrors === null) {
                vErrors = [err7];
              } else {
                vErrors.push(err7);
              }
              errors++;
            }
            if (data2.key !== void 0) {
              let data3 = data2.key;
              if (typeof data3 === "string") {
                if (data3.length > 1024 && func1(data3) > 1024) {
                  const err8 = { instancePath: instancePath + "/completed_files/" + i0 + "/key", keyword: "maxLength", params: { limit: 1024 }, message: "must NOT have more than 1024 characters" };
                  if (vErrors === null) {
                    vErrors = [err8];
                  } else {
                    vErrors.push(err8);
                  }
                  errors++;
                }
                if (!pattern7.test(data3)) {
                  const err9 = { instancePath: instancePath + "/completed_files/" + i0 + "/key", keyword: "pattern", params: { pattern: "^tenants/" }, message: 'must match pattern "^tenants/"' };
                  if (vErrors === null) {
                    vErrors = [err9];
                  } else {
                    vErrors.push(err9);
                  }
                  errors++;
                }
              } else {
                const err10 = { instancePath: instancePath + "/completed_files/" + i0 + "/key", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err10];
                } else {
                  vErrors.push(err10);
                }
                errors++;
              }
            }
            if (data2.file_name !== void 0) {
              let data4 = data2.file_name;
              if (typeof data4 === "string") {
                if (data4.length > 255 && func1(data4) > 255) {
                  const err11 = { instancePath: instancePath + "/completed_files/" + i0 + "/file_name", keyword: "maxLength", params: { limit: 255 }, message: "must NOT have more than 255 characters" };
                  if (vErrors === null) {
                    vErrors = [err11];
                  } else {
                    vErrors.push(err11);
                  }
                  errors++;
                }
                if (data4.length < 1) {
                  const err12 = { instancePath: instancePath + "/completed_files/" + i0 + "/file_name", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              } else {
                const err13 = { instancePath: instancePath + "/completed_files/" + i0 + "/file_name", keyword: "type", params: { type: "string" }, message: "must be string" };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
          } else {
            const err14 = { instancePath: instancePath + "/completed_files/" + i0, keyword: "type", params: { type: "object" }, message: "must be object" };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/completed_files", keyword: "type", params: { type: "array" }, message: "must be array" };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
  } else {
    const err16 = { instancePath, keyword: "type", params: { type: "object" }, message: "must be object" };
    if (vErrors === null) {
      vErrors = [err16];
    } else {
      vErrors.push(err16);
    }
    errors++;
  }
  validate29.errors = vErrors;
  return errors === 0;
}
function validate28(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (!validate29(data, { instancePath, parentData, parentDataProperty, rootData, dynamicAnchors })) {
    vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
    errors = vErrors.length;
  }
  validate28.errors = vErrors;
  return errors === 0;
}
var validators = { createWorkflow, executeWorkflow, requestUpload, confirmUpload };
export {
  validators
};
