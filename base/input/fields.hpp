// A JSON object as a declaration: its keys, the members of a struct they fill and what is accepted.
// Reading, the refusal of unknown, missing and malformed keys, and writing follow from it.
//
//   const Fields<Reference>& fields_of_reference() {
//     static const auto fields = Fields<Reference>()
//                                    .required("title", &Reference::title)
//                                    .required("year", &Reference::year, 1600, 2100)
//                                    .optional("doi", &Reference::doi);
//     return fields;
//   }
//   const Reference r = fields_of_reference().read(json, "bibliography.json, hairer1996");
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input/strict_json.hpp"

namespace daemark {

// The types of members. Another type joins by overloads of read_member and, where it is written,
// nlohmann's to_json.
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 std::string& out);
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 bool& out);
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 double& out);
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 std::vector<std::string>& out);
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 std::map<std::string, std::string>& out);
/// Any JSON object, taken unchecked.
void read_member(const nlohmann::json& in, const std::string& key, std::string_view where,
                 nlohmann::json& out);

template <class T>
class Fields {
 public:
  using Json = nlohmann::json;
  using Read = std::function<void(T& out, const Json& in, const std::string& where)>;
  using Write = std::function<nlohmann::ordered_json(const T&)>;

  /// `B`: T or a base of it.
  template <class M, class B>
  Fields& required(const std::string& key, M B::*member) {
    return add(key, true, reader(key, member), writer(member));
  }
  /// Where it is absent, the member keeps its default; a default is not written.
  template <class M, class B>
  Fields& optional(const std::string& key, M B::*member) {
    return add(key, false, reader(key, member), writer_unless_default(member));
  }
  /// A whole number from `lo` to `hi`.
  template <class M, class B>
  Fields& required(const std::string& key, M B::*member, long lo, long hi) {
    return add(key, true, whole_reader(key, member, lo, hi), writer(member));
  }
  template <class M, class B>
  Fields& optional(const std::string& key, M B::*member, long lo, long hi) {
    return add(key, false, whole_reader(key, member, lo, hi), writer_unless_default(member));
  }
  /// A number of at least `least`.
  template <class B>
  Fields& required(const std::string& key, double B::*member, double least) {
    return add(
        key, true,
        [key, member, least](T& out, const Json& in, const std::string& where) {
          out.*member = get_number(in, key, where, least);
        },
        writer(member));
  }
  /// An object with fields; its place in messages is "WHERE, KEY".
  template <class M>
  Fields& required(const std::string& key, M T::*member, const Fields<M>& fields) {
    return add(
        key, true,
        [key, member, fields](T& out, const Json& in, const std::string& where) {
          out.*member = fields.read(get_object(in, key, where), where + ", " + key);
        },
        [member, fields](const T& from) { return fields.write(from.*member); });
  }
  /// A list of such objects; the place of the second one is "WHERE: NAME 2".
  template <class M>
  Fields& required(const std::string& key, std::vector<M> T::*member, const Fields<M>& fields,
                   const std::string& name) {
    return add(
        key, true,
        [key, member, fields, name](T& out, const Json& in, const std::string& where) {
          int number = 0;
          for (const Json& entry : get_array(in, key, where))
            (out.*member)
                .push_back(
                    fields.read(entry, where + ": " + name + " " + std::to_string(++number)));
        },
        [member, fields](const T& from) {
          nlohmann::ordered_json list = nlohmann::ordered_json::array();
          for (const M& entry : from.*member) list.push_back(fields.write(entry));
          return list;
        });
  }
  /// Anything else. `read` gets the whole object; without `write` the key is not written.
  Fields& add(const std::string& key, bool required, Read read, Write write = {}) {
    (required ? required_ : optional_).push_back(key);
    fields_.push_back({key, std::move(read), std::move(write)});
    return *this;
  }
  /// A condition between members, checked after reading; throws BadInput.
  Fields& check(std::function<void(const T&, const std::string& where)> check) {
    checks_.push_back(std::move(check));
    return *this;
  }

  /// Throws BadInput, naming the place: no object, unknown or missing keys, values of another type.
  T read(const Json& in, const std::string& where) const {
    require_keys(in, where, required_, optional_);
    T out{};
    for (const Field& field : fields_)
      if (in.contains(field.key)) field.read(out, in, where);
    for (const auto& check : checks_) check(out, where);
    return out;
  }
  /// In the order of the declaration.
  nlohmann::ordered_json write(const T& from) const {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (const Field& field : fields_) {
      if (!field.write) continue;
      nlohmann::ordered_json value = field.write(from);
      if (!value.is_discarded()) out[field.key] = std::move(value);
    }
    return out;
  }

 private:
  struct Field {
    std::string key;
    Read read;
    Write write;  ///< a discarded value: nothing is written
  };

  template <class M, class B>
  static Read reader(const std::string& key, M B::*member) {
    return [key, member](T& out, const Json& in, const std::string& where) {
      read_member(in, key, where, out.*member);
    };
  }
  template <class M, class B>
  static Read whole_reader(const std::string& key, M B::*member, long lo, long hi) {
    return [key, member, lo, hi](T& out, const Json& in, const std::string& where) {
      out.*member = static_cast<M>(get_int(in, key, where, lo, hi));
    };
  }
  template <class M, class B>
  static Write writer(M B::*member) {
    return [member](const T& from) { return nlohmann::ordered_json(from.*member); };
  }
  template <class M, class B>
  static Write writer_unless_default(M B::*member) {
    return [member](const T& from) {
      return from.*member == T().*member
                 ? nlohmann::ordered_json(nlohmann::ordered_json::value_t::discarded)
                 : nlohmann::ordered_json(from.*member);
    };
  }

  std::vector<std::string> required_, optional_;
  std::vector<Field> fields_;
  std::vector<std::function<void(const T&, const std::string&)>> checks_;
};

}  // namespace daemark
